import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { dismissToast, type ToastTone, useToasts } from "./toasts.ts";

const icons: Record<ToastTone, typeof Info> = {
  error: CircleAlert,
  warning: TriangleAlert,
  success: CircleCheck,
  info: Info,
};

const inks: Record<ToastTone, string> = {
  error: "text-down",
  warning: "text-warn",
  success: "text-up",
  info: "text-ink-faint",
};

/** Where toasts appear, at the bottom of the screen; screen readers hear each once. */
export function ToastRegion() {
  const { t } = useTranslation();
  const toasts = useToasts();
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center gap-2 sm:right-6 sm:left-auto sm:w-96"
    >
      {toasts.map(({ id, tone, text, action }) => {
        const Icon = icons[tone];
        return (
          <div
            key={id}
            className="arriving pointer-events-auto flex w-full items-start gap-2.5 rounded-md border border-line bg-raised py-2.5 pr-1.5 pl-3 text-sm shadow-float"
          >
            <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${inks[tone]}`} />
            <p className="min-w-0 flex-1 break-words">{text}</p>
            {action && (
              <button
                type="button"
                onClick={() => {
                  dismissToast(id);
                  action.run();
                }}
                className="shrink-0 rounded-sm px-1.5 leading-6 font-medium hover:bg-hover"
              >
                {action.label}
              </button>
            )}
            <button
              type="button"
              aria-label={t("action.dismiss")}
              onClick={() => dismissToast(id)}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </div>
        );
      })}
    </div>
  );
}
