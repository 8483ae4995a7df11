import { dismissToast, useToasts } from "../toasts.ts";
import { Toast } from "./Toast.tsx";

/**
 * Where toasts appear, at the bottom of the screen, above a bar of buttons there (`data-bar`), and beside or above where the assistant is
 * asked; screen readers hear each once.
 */
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
