import { useRouter } from "@tanstack/react-router";
import { Ellipsis, ExternalLink, Pause, Play, Trash2 } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import type { Domain } from "../../api/domain-list.ts";
import { IconButton } from "../../components/Button.tsx";
import { Checkbox } from "../../components/Checkbox.tsx";
import { Menu, MenuItem } from "../../components/Menu.tsx";
import { type ShownStatus, StatusDot } from "../../components/StatusDot.tsx";
import { formatPercentage, formatResponseTime } from "../../format.ts";
import { inReadersLanguage } from "../../i18n/i18n.ts";
import { domainPath, paths } from "../../paths.ts";
import { CertificateText } from "./CertificateText.tsx";
import { shortUrl, shownResponseTime, shownStatus } from "./domain-view.ts";
import { StatusText, useStatusDetails } from "./StatusText.tsx";

interface DomainRowProps {
  domain: Domain;
  /** Place in the list, from 0. */
  index: number;
  /** Where the row stands, in pixels from the first one's top. */
  top: number;
  chosen: boolean;
  onChoose: (domain: Domain, index: number, on: boolean, stretch: boolean) => void;
  /** Called with the element, to measure it. */
  measure: (row: HTMLElement | null) => void;
  onToggle: (domain: Domain) => void;
  onDelete: (domain: Domain) => void;
}

/** One line of the list. On phones everything but the menu stands in the first cell. */
export const DomainRow = memo(function DomainRow(props: DomainRowProps) {
  const { domain, index, top, chosen, measure, onChoose, onToggle, onDelete } = props;
  const { t, i18n } = useTranslation("monitor");
  const status = shownStatus(domain);
  const time = shownResponseTime(domain);
  const response = time === null ? null : formatResponseTime(time, i18n.language);
  const uptime =
    domain.uptimePercentage === null ? null : formatPercentage(domain.uptimePercentage, i18n.language);
  return (
    <div
      role="row"
      ref={measure}
      aria-rowindex={index + 2}
      aria-selected={chosen}
      data-index={index}
      data-status={status}
      style={{ transform: `translateY(${top}px)` }}
      className="domain-columns absolute inset-x-0 top-0 aria-selected:bg-hover min-h-14 border-t border-line py-2 pr-2 pl-4 transition-colors hover:bg-hover data-[status=down]:bg-down-soft/45 data-[status=down]:hover:bg-down-soft"
    >
      <div role="cell" className="flex min-w-0 gap-3">
        <Checkbox
          label={t("select.one", { name: domain.name })}
          checked={chosen}
          onChange={(on, stretch) => onChoose(domain, index, on, stretch)}
          onKeyDown={moveToNextBox}
          className="relative z-1 mt-0.5"
        />
        <StatusDot status={status} className="mt-1.5" />
        <div className="min-w-0 flex-1">
          <div className="flex items-baseline gap-3">
            <DetailLink domain={domain} status={status} />
            {response && (
              <span className="ml-auto text-sm whitespace-nowrap text-ink-muted tabular-nums md:hidden">
                {response}
              </span>
            )}
          </div>
          {shortUrl(domain.url) !== domain.name && <DomainLink url={domain.url} />}
          <div className="mt-1 min-w-0 text-sm md:hidden">
            <StatusText domain={domain} status={status} />
          </div>
        </div>
      </div>
      <div role="cell" className="hidden min-w-0 text-sm md:block">
        <StatusText domain={domain} status={status} />
      </div>
      <NumberCell value={response} missing={useMissingTime(domain)} />
      <div role="cell" className="hidden truncate text-right text-sm lg:block">
        <CertificateText domain={domain} />
      </div>
      <NumberCell value={uptime} missing={t("noCheck")} />
      <div role="cell" className="relative z-1 justify-self-end">
        <RowMenu domain={domain} onToggle={onToggle} onDelete={onDelete} />
      </div>
    </div>
  );
});

/** The arrow keys go from box to box, so that a stretch can be chosen with Shift and the space bar. */
function moveToNextBox(event: KeyboardEvent<HTMLInputElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.currentTarget.closest<HTMLElement>("[data-index]");
  if (step === undefined || !row) return;
  const index = Number(row.dataset.index) + step;
  const next = row.parentElement?.querySelector<HTMLElement>(`[data-index="${index}"] input`);
  event.preventDefault();
  next?.focus();
}

/**
 * The whole row leads to the domain's page, and shows under the pointer what it has no room for. A plain link with the router behind it: a Link each would
 * work the address out anew at every key of the search, a thousand times.
 */
function DetailLink({ domain, status }: { domain: Domain; status: ShownStatus }) {
  const router = useRouter();
  const details = useStatusDetails(domain, status);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ to: paths.domain, params: { id: String(domain.id) } });
  };
  return (
    <a
      href={domainPath(domain.id)}
      onClick={follow}
      title={details}
      className={`min-w-0 truncate rounded-sm leading-5 font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus ${status === "paused" ? "text-ink-faint" : ""}`}
    >
      {domain.name}
    </a>
  );
}

function DomainLink({ url }: { url: string }) {
  const { t } = useTranslation("monitor");
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={t("row.open", { url })}
      className="group relative z-1 flex w-fit max-w-full items-center gap-1 rounded-sm text-xs text-ink-faint hover:text-ink"
    >
      <span className="truncate">{shortUrl(url)}</span>
      <ExternalLink aria-hidden className="size-3 shrink-0 opacity-0 group-hover:opacity-100" />
    </a>
  );
}

/** `missing`: why there is a dash instead of the value. */
function NumberCell({ value, missing }: { value: string | null; missing: string }) {
  return (
    <div role="cell" className="hidden text-right text-sm text-ink-muted tabular-nums md:block">
      {value ?? (
        <span className="relative text-ink-faint" title={missing}>
          –
        </span>
      )}
    </div>
  );
}

/** Why no response time is shown: there was no check, or the last one failed. */
function useMissingTime({ lastReason }: Domain): string {
  const { t } = useTranslation("monitor");
  return lastReason === null ? t("noCheck") : t("row.lastCheck", { reason: inReadersLanguage(lastReason) });
}

function RowMenu({ domain, onToggle, onDelete }: Pick<DomainRowProps, "domain" | "onToggle" | "onDelete">) {
  const { t } = useTranslation("monitor");
  const trigger = (
    <IconButton label={t("row.menu", { name: domain.name })} data-domain-menu={domain.id}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem
        icon={domain.enabled ? <Pause aria-hidden /> : <Play aria-hidden />}
        onSelect={() => onToggle(domain)}
      >
        {t(domain.enabled ? "row.pause" : "row.resume")}
      </MenuItem>
      <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => onDelete(domain)}>
        {t("row.delete")}
      </MenuItem>
    </Menu>
  );
}
