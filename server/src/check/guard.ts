/** `all`: anything but link-local and cloud metadata addresses; `public`: loopback and private ranges are refused too. */
export type TargetPolicy = "all" | "public";
