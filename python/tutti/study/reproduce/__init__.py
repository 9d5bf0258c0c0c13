"""tutti reproduce: the pictures of a published study of collectives, measured here.

hamid          which pictures Hamid's thesis has of averages and distributions, and what has to be measured for them
changeovers    its chapter 6: where algorithms take over from one another, beside the sizes that others fixed
networks       where all that is measured: shared memory, emulated networks, a cluster of the user's
measuring      measures what is missing
pictures, changeover_page   the parts of the report
command_line   the command
"""
