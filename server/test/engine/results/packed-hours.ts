import { HOUR_MS, type PackKey } from "../../../src/engine/results/pack-format.ts";
import { roundPhases } from "../../../src/engine/results/precision.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { msg } from "../../../src/platform/i18n/message.ts";

export interface HourOptions {
  seed: number;
  intervalSeconds: number;
  https: boolean;
  /** Microseconds as measured instead of the precision that is stored. */
  exact?: boolean;
  /** Ten bad minutes in the middle, with two kinds of failure, and a recheck before them. */
  outages?: boolean;
}

/** An hour as real checks make it: durations around a median each, 30 % apart (log-normal). */
export function hourOfResults(key: PackKey, options: HourOptions): StoredResult[] {
  const about = logNormal(options.seed);
  const results: StoredResult[] = [];
  for (let offset = 1_234; offset < HOUR_MS; offset += options.intervalSeconds * 1000) {
    const minute = offset / 60_000;
    const isBad = options.outages === true && minute > 20 && minute < 30;
    const recheckMs = options.outages && minute > 19 && minute < 20 ? 777 : 0;
    const result = isBad ? failed(minute) : passed(about, options.https);
    const phases = options.exact ? result : roundPhases(pick(result));
    results.push({ ...key_(key), ...result, ...phases, scheduledAt: key.hourAt + offset + recheckMs });
  }
  return results;
}

type Reported = Omit<StoredResult, "monitorId" | "locationId" | "scheduledAt">;

const key_ = ({ monitorId, locationId }: PackKey) => ({ monitorId, locationId });
const pick = ({ dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs }: Reported) => ({
  dnsUs,
  connectUs,
  tlsUs,
  firstByteUs,
  transferUs,
  totalUs,
});

function passed(about: (medianUs: number) => number, https: boolean): Reported {
  const dnsUs = https ? about(1_500) : 0;
  const connectUs = about(25_000);
  const tlsUs = https ? about(30_000) : null;
  const firstByteUs = about(60_000);
  const transferUs = about(300);
  const totalUs = dnsUs + connectUs + (tlsUs ?? 0) + firstByteUs + transferUs + about(50);
  const phases = { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs };
  return { outcome: 0, statusCode: 200, ...phases, reason: null, message: null, maintenance: 0 };
}

const failed = (minute: number): Reported => ({
  outcome: 1,
  statusCode: minute > 25 ? 503 : null,
  dnsUs: 0,
  connectUs: minute > 25 ? 20_000 : null,
  tlsUs: null,
  firstByteUs: null,
  transferUs: null,
  totalUs: minute > 25 ? 20_500 : 10_000_000,
  reason:
    minute > 25
      ? msg("status", { status: 503, expected: "200-399" })
      : msg("timeout.connect", { seconds: 10, where: "shop.test" }),
  message: null,
  maintenance: minute > 28 ? 1 : 0,
});

function logNormal(seed: number): (medianUs: number) => number {
  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return (medianUs) => Math.round(medianUs * Math.exp(0.3 * normal()));
}
