"""tutti predict: what algorithms take by formulas and by the simulator, on a machine that is described."""
