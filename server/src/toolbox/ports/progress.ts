const AT_LEAST_MS = 900;

/** Tells the percentage of `total` at once, whenever it is another one, and each second at least. */
export function followProgress(total: number, tell: (percent: number) => void) {
  let counted = 0;
  let told = -1;
  const say = () => {
    told = Math.floor((counted / total) * 100);
    tell(told);
    timer.refresh();
  };
  const timer = setInterval(say, AT_LEAST_MS);
  say();
  return {
    /** One more is done. */
    count() {
      counted += 1;
      if (Math.floor((counted / total) * 100) !== told) say();
    },
    stop: () => clearInterval(timer),
  };
}
