"""Figures: from cells and distributions to marks, and from marks to files.

axes, drawing, palette             what figures are made of
curves, heat, spreads, timeline    the figures
svg, pdf                           a drawing in the page, or as a file
"""
