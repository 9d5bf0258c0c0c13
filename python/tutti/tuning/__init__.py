"""Tuning: from candidates over measurements to the rules of a profile.

command_line          `tutti tune`
layout                where ranks run, and how they are started there
candidates            the specs that may serve a collective at a layout
model, traits         what a candidate may cost, from a few measurements; what candidates have in common
surrogate, exploring  what is thought of candidates that were not measured; who is worth measuring
evidence              every measurement, kept in a file; gains with their intervals
deciding              from evidence to one spec a size, changeovers, rules
campaign, budget      what to measure next, within the time there is
general, used         a whole tuning, layout after layout; what of an application is worth it
writing               the profile;  checking: whether an old one still holds
rules, profile        the same for `tune --node`, where the node engine is all there is to choose: rules, and their text
"""
