import { RotateCw, ServerCrash, ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, isGone } from "../api/client.ts";
import { useAwaySince } from "../api/live-state.ts";
import type { Role } from "../api/roles.ts";
import { formatDateTime, formatMoment } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { Button } from "./Button.tsx";
import type { Reading } from "./chart-data.ts";
import { useNow } from "./use-now.ts";

interface LoadedProps<Data> {
  of: Reading<Data>;
  /** What could not be loaded, in a sentence. */
  failed: string;
  /** The shape of what will come. */
  loading: ReactNode;
  /** Shown for an empty result: a list without items, unless `isEmpty` says otherwise. */
  empty?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  /** Shown for what does not exist, or no longer does. */
  gone?: ReactNode;
  children: (data: Data) => ReactNode;
}

/**
 * On its way, there, empty, gone, refused, or failed with a retry. Older data stays when it cannot be read
 * again, and says so.
 */
export function Loaded<Data>({ of: reading, ...rest }: LoadedProps<Data>) {
  const { data, error, isFetching, refetch } = reading;
  if (isGone(error) && rest.gone !== undefined) return rest.gone;
  if (data === undefined && error) {
    return <Failure title={rest.failed} error={error} busy={isFetching} onRetry={() => void refetch()} />;
  }
  // Always in this order, so that what is on its way and what has come may be one component.
  return (
    <>
      {data === undefined && <LoadingStatus />}
      {data !== undefined && error && <StaleMark of={reading} error={error} />}
      {data === undefined ? rest.loading : contentOf(data, rest)}
    </>
  );
}

function contentOf<Data>(
  data: Data,
  { empty, isEmpty = isEmptyList, children }: Omit<LoadedProps<Data>, "of">,
) {
  if (empty === undefined || !isEmpty(data)) return children(data);
  if (typeof empty !== "string") return empty;
  return (
    <p className="grid min-h-19 place-items-center px-4 pb-4 text-center text-pretty text-ink-faint">
      {empty}
    </p>
  );
}

const isEmptyList = (data: unknown): boolean => Array.isArray(data) && data.length === 0;

/** Says to screen readers that something is on its way. */
export function LoadingStatus() {
  const { t } = useTranslation();
  return (
    <span role="status" className="sr-only">
      {t("loading")}
    </span>
  );
}

/** Shown for what a role may not see or do, in the words of the API. */
export function Refused({ role }: { role: Role }) {
  const { t } = useTranslation();
  const text = translateMessage("", { code: "access.role", params: { role } });
  return <Failure title={t("error.refused")} error={new ApiError(403, text)} />;
}

/** Shown for what the organization's plan does not include, in the words of the API. */
export function RefusedByPlan() {
  const { t } = useTranslation();
  const text = translateMessage("", { code: "access.plan", params: { needs: "expert" } });
  return <Failure title={t("error.refused")} error={new ApiError(403, text)} />;
}

interface FailureProps {
  title: string;
  error: Error;
  busy?: boolean;
  /** Undefined where another try cannot help. */
  onRetry?: () => void;
}

/** Why there is nothing: the API's own sentence, its request id, and another try where it may help. */
export function Failure({ title, error, busy, onRetry }: FailureProps) {
  const { t } = useTranslation();
  const { status, requestId } = error instanceof ApiError ? error : { status: 0, requestId: null };
  const refused = status === 403;
  const Icon = refused ? ShieldX : ServerCrash;
  return (
    <div role="alert">
      <EmptyState
        icon={<Icon aria-hidden className="size-6" strokeWidth={1.5} />}
        title={refused ? t("error.refused") : title}
        text={error.message}
      >
        {!refused && (
          <Button variant="quiet" busy={busy} onClick={onRetry}>
            <RotateCw aria-hidden className="size-4" />
            {t("action.retry")}
          </Button>
        )}
        {requestId && (
          <p className="mt-4 text-xs text-ink-faint select-all">{t("error.requestId", { id: requestId })}</p>
        )}
      </EmptyState>
    </div>
  );
}

/** On the upper edge of the card that it is in, or at the top of the page, where it moves nothing: since when it is old, and another try. */
function StaleMark({
  of: { dataUpdatedAt, isFetching, refetch },
  error,
}: {
  of: Reading<unknown>;
  error: Error;
}) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const isAway = useAwaySince() !== null;
  // Then the frame says it, once for all.
  if (isAway) return null;
  const at = new Date(dataUpdatedAt).toISOString();
  return (
    <span
      role="status"
      className="absolute -top-3 right-3 z-10 [main>&]:top-1 [main>&]:sm:right-6 flex h-6 items-center gap-1 rounded-full border border-line-strong bg-raised pl-2.5 text-xs whitespace-nowrap text-warn-ink shadow-card"
    >
      <span title={`${formatDateTime(at, i18n.language)}\n${error.message}`}>
        {t("error.stale", { time: formatMoment(at, now, i18n.language) })}
      </span>
      <button
        type="button"
        aria-label={t("action.retry")}
        title={t("action.retry")}
        aria-busy={isFetching || undefined}
        onClick={() => void refetch()}
        className="grid h-full w-6 place-items-center rounded-full text-ink-muted hover:text-ink"
      >
        <RotateCw aria-hidden className={`size-3 ${isFetching ? "animate-spin" : ""}`} />
      </button>
    </span>
  );
}

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  text: string;
  /** What to do about it. */
  children?: ReactNode;
}

/** Replaces an empty list, and says what to do. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md grid-cols-[minmax(0,1fr)] justify-items-center gap-1.5 px-6 py-14 text-center">
      {icon && <div className="mb-3 text-ink-faint">{icon}</div>}
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="text-balance text-ink-muted">{text}</p>
      {children && <div className="mt-5 w-full">{children}</div>}
    </div>
  );
}

/** A placeholder for text that is loading; give it the text's size by class. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden className={`breathing block rounded-sm bg-line ${className}`} />;
}
