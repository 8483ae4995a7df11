import { Toast } from "./Toast.tsx";
import { dismissToast, useToasts } from "./toasts.ts";

/** Where toasts appear, at the bottom of the screen; screen readers hear each once. */
export function ToastRegion() {
  const toasts = useToasts();
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 grid justify-items-center gap-2 sm:right-6 sm:left-auto sm:w-96"
    >
      {toasts.map((toast) => (
        <Toast key={toast.id} message={toast} onDismiss={() => dismissToast(toast.id)} />
      ))}
    </div>
  );
}
