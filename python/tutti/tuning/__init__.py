"""Tuning: from candidates over measurements to the rules of a profile.

layout       where ranks run, and how they are started there
candidates   the specs that may serve a collective at a layout
model        what a candidate may cost, from a few measurements: who is worth measuring
evidence     every measurement, kept in a file; gains with their intervals
deciding     from evidence to one spec a size, changeovers, rules
campaign     what to measure next, within the time there is
writing      the profile;  checking: whether an old one still holds
"""
