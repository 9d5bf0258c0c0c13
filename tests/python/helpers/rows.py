"""Results as launches leave them, native beside tutti."""


def result(variant, median, launch=1, collective="bcast", size=8, ranks=2, **more):
    return {
        "launch": launch, "collective": collective, "size": size, "ranks": ranks, "variant": variant,
        "repetitions": 100, "median_us": median, "ci_low": 0.99 * median, "ci_high": 1.01 * median, **more,
    }  # fmt: skip


def launches(native, tutti, **more):
    return [
        result(name, median, launch, **more)
        for name, medians in (("native", native), ("tutti", tutti))
        for launch, median in enumerate(medians, 1)
    ]
