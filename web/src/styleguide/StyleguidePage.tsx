import { BareHeader } from "../components/BareHeader.tsx";
import { usePageTitle } from "../components/use-page-title.ts";
import { Colours } from "./Colours.tsx";
import { Contrasts } from "./Contrasts.tsx";
import { Controls } from "./Controls.tsx";
import { Feedback } from "./Feedback.tsx";
import { Figures } from "./Figures.tsx";
import { Forms } from "./Forms.tsx";
import { Measures, TypeScale } from "./Measures.tsx";

/**
 * Everything that pages are made of, drawn by the components themselves out of the style sheet's own tokens.
 * For people who build the app, so its words are English, as the code's are.
 */
export function StyleguidePage() {
  usePageTitle("Styleguide");
  return (
    <div lang="en">
      <BareHeader />
      <main className="mx-auto max-w-6xl px-4 pt-8 pb-24 sm:px-6">
        <h1 className="text-xl font-semibold">Styleguide</h1>
        <p className="mt-0.5 mb-8 max-w-2xl text-pretty text-ink-muted">
          Calm, dense, exact: somebody reads these pages at three in the morning. What is wrong comes first
          and in words; nothing blinks, nothing moves by itself, and every figure says its unit.
        </p>
        <Colours />
        <Contrasts />
        <Measures />
        <TypeScale />
        <Controls />
        <Forms />
        <Feedback />
        <Figures />
      </main>
    </div>
  );
}
