/** Shares and sizes of what machines measure, by Intl. `language` is a BCP 47 tag. */
import { numberFormat } from "./format.ts";

/** 0…100 as "42%", below ten with a decimal: "4.2%". */
export const formatShare = (percent: number, language: string): string =>
  numberFormat(language, { style: "percent", maximumFractionDigits: percent < 10 ? 1 : 0 }).format(
    percent / 100,
  );

interface Units {
  step: number;
  names: readonly string[];
}
/** As systems count what is stored. */
const stored: Units = { step: 1_024, names: ["B", "KiB", "MiB", "GiB", "TiB", "PiB"] };
/** As networks count what is sent. */
const sent: Units = { step: 1_000, names: ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"] };

/** "7.8 GiB". */
export const formatBytes = (bytes: number, language: string): string => formatAmount(bytes, stored, language);

/** "1.2 MB/s". */
export const formatRate = (bytesPerSecond: number, language: string): string =>
  formatAmount(bytesPerSecond, sent, language);

function formatAmount(amount: number, { step, names }: Units, language: string): string {
  const power = Math.floor(Math.log(Math.max(1, amount)) / Math.log(step));
  const unit = Math.min(names.length - 1, power);
  const inUnit = amount / step ** unit;
  const digits = { maximumFractionDigits: unit > 0 && inUnit < 100 ? 1 : 0 };
  return `${numberFormat(language, digits).format(inUnit)} ${names[unit]}`;
}
