"""tutti calibrate: the parameters of the machine that is here, for tutti predict and tutti simulate."""
