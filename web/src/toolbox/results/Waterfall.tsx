import { useTranslation } from "react-i18next";
import type { HttpInspection } from "../../../../server/src/wire/toolbox/http-inspection.ts";
import { formatResponseTime } from "../../i18n/format.ts";

type Hop = HttpInspection["hops"][number];

const phases = ["dns", "connect", "tls", "firstByte", "transfer"] as const;

const colors = {
  dns: "bg-phase-dns",
  connect: "bg-phase-connect",
  tls: "bg-phase-tls",
  firstByte: "bg-phase-server",
  transfer: "bg-phase-transfer",
} as const;

/** Each request on one axis of time, in its phases, with the same figures in words below it. */
export function Waterfall({ hops }: { hops: readonly Hop[] }) {
  const { t } = useTranslation("toolbox");
  const totalMs = hops.reduce((sum, { total }) => sum + (total ?? 0), 0);
  const startsMs = hops.map((_, at) => hops.slice(0, at).reduce((sum, { total }) => sum + (total ?? 0), 0));
  return (
    <section aria-label={t("http.way")} className="grid gap-2 px-4">
      <h3 className="text-sm font-medium">{t("http.way")}</h3>
      <ol className="grid gap-4">
        {hops.map((hop, at) => (
          <HopRow key={`${hop.url} ${at}`} hop={hop} startMs={startsMs[at] ?? 0} totalMs={totalMs} />
        ))}
      </ol>
    </section>
  );
}

function HopRow({ hop, startMs, totalMs }: { hop: Hop; startMs: number; totalMs: number }) {
  const { t, i18n } = useTranslation("toolbox");
  const { url, statusCode, address, protocol, total } = hop;
  const share = (ms: number) => `${totalMs > 0 ? (ms / totalMs) * 100 : 0}%`;
  const known = phases.flatMap((phase) => {
    const ms = hop[phase];
    return ms === null ? [] : [{ phase, ms }];
  });
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium tabular-nums">{statusCode ?? "–"}</span>
        <span className="min-w-0 wrap-anywhere">{url}</span>
        <span className="text-ink-faint">{[address, protocol].filter(Boolean).join(" · ")}</span>
      </p>
      <div aria-hidden className="flex h-2 rounded-full bg-hover">
        <span style={{ width: share(startMs) }} className="shrink-0" />
        {known.map(({ phase, ms }) => (
          <span key={phase} style={{ width: share(ms) }} className={`min-w-0.5 shrink-0 ${colors[phase]}`} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-ink-muted tabular-nums">
        {known.map(({ phase, ms }) => (
          <li key={phase} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${colors[phase]}`} />
            {t(`http.phases.${phase}`, { time: formatResponseTime(ms, i18n.language) })}
          </li>
        ))}
        {total !== null && (
          <li>{t("http.phases.total", { time: formatResponseTime(total, i18n.language) })}</li>
        )}
      </ul>
    </li>
  );
}
