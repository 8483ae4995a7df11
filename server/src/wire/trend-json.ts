import type { ResponseTimeTrend } from "../monitor/response-time-trends.ts";
import { milliseconds } from "./domain-fields.ts";
import { timestamp } from "./field.ts";
import type { Word } from "./word.ts";

/**
 * The trends as JSON, as their schema (`Trend`, in a family's words) says: written by hand because
 * there are up to 32,000 points, and objects of them would be built, renamed and described only to be
 * thrown away. A test compares every answer with the schema's own way.
 */
export function writeTrends(trends: readonly ResponseTimeTrend[], word: Word): string {
  // One text a bucket, whoever has it.
  const opened = new Map<number, string>();
  const open = (at: number) => {
    let text = opened.get(at);
    if (text === undefined) {
      text = `{"${word("timestamp")}":"${timestamp(at)}","${word("responseTime")}":`;
      opened.set(at, text);
    }
    return text;
  };
  return `[${trends.map((trend) => writeTrend(trend, word, open)).join()}]`;
}

function writeTrend(trend: ResponseTimeTrend, word: Word, open: (at: number) => string): string {
  const { at, averagesUs } = trend.points;
  let points = "";
  for (let i = 0; i < at.length; i += 1) {
    if (i > 0) points += ",";
    points += `${open(at[i] as number)}${inMilliseconds(averagesUs[i] as number)}}`;
  }
  const head = {
    [word("domainId")]: trend.id,
    [word("domainUuid")]: trend.uuid,
    [word("domainName")]: trend.name,
    [word("avgResponseTime")]: milliseconds(trend.averageUs),
    [word("minResponseTime")]: milliseconds(trend.minUs),
    [word("maxResponseTime")]: milliseconds(trend.maxUs),
  };
  return `${JSON.stringify(head).slice(0, -1)},"${word("dataPoints")}":[${points}]}`;
}

/** What `milliseconds` gives, as text. Whole numbers become text many times faster than others. */
function inMilliseconds(us: number): string {
  const tenths = Math.round(us / 100);
  const rest = tenths % 10;
  const whole = (tenths - rest) / 10;
  return rest === 0 ? `${whole}` : `${whole}.${rest}`;
}
