import { useTranslation } from "react-i18next";
import { type LiveState, useLiveState } from "../api/live-state.ts";

/** Says whether changes are arriving. Its width never changes, so that the header does not move. */
export function LiveIndicator() {
  return <LiveSign state={useLiveState()} />;
}

/** The indicator in the state that it is given. */
export function LiveSign({ state }: { state: LiveState }) {
  const { t } = useTranslation();
  const broken = state === "off";
  const dot = state === "on" ? "bg-up" : broken ? "bg-warn breathing" : "bg-idle breathing";
  return (
    <span
      role="status"
      title={broken ? t("live.offHint") : undefined}
      className="mr-1 flex min-w-8 items-center justify-end gap-2 text-xs text-ink-muted sm:min-w-28"
    >
      <span aria-hidden className={`size-1.5 rounded-full ${dot}`} />
      <span className={broken ? "" : "max-sm:sr-only"}>{t(`live.${state}`)}</span>
    </span>
  );
}
