import type { Target } from "../target-address.ts";
import { type Banner, readBanner } from "./read-banner.ts";

const AT_ONCE = 20;
/** A host that answers on every port says nothing by that. */
const MAX_READ = 100;

/** What listens on these ports says of itself, of the first hundred. */
export async function readBanners(
  to: Target,
  ports: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, Banner>> {
  const banners = new Map<number, Banner>();
  const waiting = ports.slice(0, MAX_READ);
  const readInTurn = async () => {
    for (let port = waiting.shift(); port !== undefined; port = waiting.shift()) {
      banners.set(port, await readBanner(to, port, signal));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readInTurn));
  signal.throwIfAborted();
  return banners;
}
