import { useTranslation } from "react-i18next";
import { type LiveState, useLiveState } from "../api/live-state.ts";

/** Says whether changes are arriving. `rail`: the words appear under the pointer only. */
export function LiveIndicator({ rail }: { rail: boolean }) {
  return <LiveSign state={useLiveState()} rail={rail} />;
}

/** The indicator in the state that it is given. */
export function LiveSign({ state, rail = false }: { state: LiveState; rail?: boolean }) {
  const { t } = useTranslation();
  const broken = state === "off";
  const dot = state === "on" ? "bg-up" : broken ? "bg-warn breathing" : "bg-idle breathing";
  return (
    <span
      role="status"
      title={broken ? t("live.offHint") : rail ? t(`live.${state}`) : undefined}
      className={`flex h-8 items-center gap-2.5 text-sm text-ink-muted ${rail ? "justify-center" : "px-2"}`}
    >
      <span aria-hidden className="grid size-4 shrink-0 place-items-center">
        <span className={`size-2 rounded-full ${dot}`} />
      </span>
      <span className={rail ? "sr-only" : "truncate"}>{t(`live.${state}`)}</span>
    </span>
  );
}
