"""Studying: what schedules are, whether they are right, and which of them serves a call.

catalogue                `tutti list`
show, picture, blocks    `tutti show`: a schedule as a picture or as text, and what its messages are called
verify                   `tutti verify`
explain                  `tutti explain`
reproduce                `tutti reproduce`: published pictures, measured here
"""
