import { Logo } from "../components/Logo.tsx";

/** While a page cannot be shown yet; appears only when that takes longer than a moment. */
export function PendingPage() {
  return (
    <main className="grid min-h-dvh place-items-center" aria-busy>
      <Logo className="breathing size-8" />
    </main>
  );
}
