import { Link } from "@tanstack/react-router";
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { dismissToast, type ToastMessage, type ToastTone, useToasts } from "../toasts.ts";

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

interface ToastProps {
  message: Omit<ToastMessage, "id">;
  onDismiss: () => void;
}

/** One sentence above the page, with what can be done about it. */
export function Toast({ message: { tone, text, action, monitor }, onDismiss }: ToastProps) {
  const { t } = useTranslation();
  const Icon = icons[tone];
  return (
    <div className="arriving pointer-events-auto flex w-full items-start gap-2.5 rounded-md border border-line bg-raised py-2.5 pr-1.5 pl-3 text-sm shadow-float">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${inks[tone]}`} />
      <p className="min-w-0 flex-1 wrap-anywhere">
        {monitor === undefined ? (
          text
        ) : (
          <Link
            to={monitor.kind.pages.one}
            params={{ id: String(monitor.id) }}
            onClick={onDismiss}
            className="rounded-sm underline decoration-line-strong underline-offset-4 hover:decoration-current"
          >
            {text}
          </Link>
        )}
      </p>
      {action && (
        <button
          type="button"
          onClick={() => {
            onDismiss();
            action.run();
          }}
          className="shrink-0 rounded-sm px-1.5 leading-5 font-medium hover:bg-hover"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label={t("action.dismiss")}
        onClick={onDismiss}
        className="-my-0.5 grid size-6 shrink-0 place-items-center rounded-sm text-ink-faint hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}

/** At the bottom of the screen, above a bar there (`data-bar`), beside or above the assistant; announced once. */
export function ToastRegion() {
  const toasts = useToasts();
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar))] z-40 [body:has([data-bar])_&]:bottom-[calc(5.5rem+var(--bottom-bar))] max-sm:[body:has(section[data-bar])_&]:bottom-[calc(7.75rem+var(--bottom-bar))] grid justify-items-center gap-2 sm:right-6 sm:left-auto sm:w-96 md:[body:has([data-assistant])_&]:right-[26.5rem] md:[body:has([data-assistant])_&]:max-w-[calc(100vw-27.5rem)] max-md:[body:has([data-assistant])_&]:bottom-28"
    >
      {toasts.map((toast) => (
        <Toast key={toast.id} message={toast} onDismiss={() => dismissToast(toast.id)} />
      ))}
    </div>
  );
}
