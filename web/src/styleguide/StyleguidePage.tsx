import { BareHeader } from "../components/BareHeader.tsx";
import { Card } from "../components/Card.tsx";
import { usePageTitle } from "../components/PageBar.tsx";
import { Contrasts } from "./Contrasts.tsx";
import { Controls } from "./Controls.tsx";
import { DataDisplay } from "./DataDisplay.tsx";
import { Part } from "./Exhibit.tsx";
import { Feedback } from "./Feedback.tsx";
import { Forms } from "./Forms.tsx";
import { colourIn, hexOf, pixelsOf, readTokens, type Theme } from "./tokens.ts";

/** Drawn by the components themselves, for people who build the app; hence in English only. */
export function StyleguidePage() {
  usePageTitle("Styleguide");
  return (
    <div lang="en">
      <BareHeader />
      <main className="mx-auto max-w-6xl px-4 pt-8 pb-24 sm:px-6">
        <h1 className="text-xl font-semibold">Styleguide</h1>
        <p className="mt-0.5 mb-8 max-w-2xl text-pretty text-ink-muted">
          Calm, dense, exact: these pages are read at three in the morning. What is wrong comes first and in
          words; nothing blinks, nothing moves by itself, and every figure says its unit.
        </p>
        <Colours />
        <Contrasts />
        <Measures />
        <TypeScale />
        <Controls />
        <Forms />
        <Feedback />
        <DataDisplay />
      </main>
    </div>
  );
}

const prefix = "--color-";
const themes: readonly Theme[] = ["light", "dark"];
const schemes: Record<Theme, string> = { light: "scheme-light", dark: "scheme-dark" };

/** Every colour of the style sheet, as either theme paints it. */
function Colours() {
  return (
    <Part
      title="Colour"
      text="Each name carries a light and a dark value. What means the same has the same colour everywhere: green works, amber is slow or ends soon, red is down, grey is not known."
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {themes.map((theme) => (
          <Card key={theme} className={`${schemes[theme]} min-w-0 p-4`}>
            <h3 className="mb-3 font-medium text-ink">{theme === "light" ? "Light" : "Dark"}</h3>
            <ul className="grid gap-x-4 gap-y-2 lg:grid-cols-2">
              {readTokens(prefix).map((token) => (
                <li key={token} className="flex items-center gap-2.5 text-sm text-ink">
                  <span
                    className="size-6 shrink-0 rounded-sm border border-line"
                    style={{ background: `var(${token})` }}
                  />
                  <span className="min-w-0 flex-1 truncate">{token.slice(prefix.length)}</span>
                  <span className="text-xs text-ink-faint tabular-nums">{hexOf(colourIn(theme, token))}</span>
                </li>
              ))}
            </ul>
          </Card>
        ))}
      </div>
    </Part>
  );
}

/** The steps in use, in multiples of the unit. */
const steps = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24] as const;
const weights = { 400: "text", 500: "names, labels, what is chosen", 600: "headings, numbers" } as const;

function Measures() {
  return (
    <Part
      title="Space"
      text="Every distance is a multiple of one unit. Text is 16 px from a card's edge, cards 16 px from each other, a control is 36 px high."
    >
      <div className="grid gap-4 md:grid-cols-2">
        <Card className="grid gap-1.5 p-4 text-sm">
          {steps.map((step) => (
            <div key={step} className="flex items-center gap-3">
              <span className="w-8 text-right text-ink-muted tabular-nums">{step}</span>
              <span className="w-14 text-right text-ink-faint tabular-nums">
                {pixelsOf(`calc(var(--spacing) * ${step})`)} px
              </span>
              <span className="h-3 bg-series" style={{ width: `calc(var(--spacing) * ${step})` }} />
            </div>
          ))}
        </Card>
        <Card className="grid content-start gap-5 p-4 text-sm">
          <Boxes prefix="--radius-" styleOf={(token) => ({ borderRadius: `var(${token})` })} />
          <Boxes prefix="--shadow-" styleOf={(token) => ({ boxShadow: `var(${token})` })} />
        </Card>
      </div>
    </Part>
  );
}

function Boxes({ prefix, styleOf }: { prefix: string; styleOf: (token: string) => React.CSSProperties }) {
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-4">
      {readTokens(prefix).map((token) => (
        <div key={token} className="grid justify-items-center gap-2">
          <span className="size-14 border border-line-strong bg-raised" style={styleOf(token)} />
          <span className="text-xs text-ink-muted">{token.slice(2)}</span>
        </div>
      ))}
    </div>
  );
}

function TypeScale() {
  const sizes = readTokens("--text-").filter((token) => !token.endsWith("--line-height"));
  return (
    <Part
      title="Type"
      text="One family, five sizes, three weights. Numbers in columns, and those that change in view, have digits of one width."
    >
      <Card className="grid gap-4 p-4">
        {sizes.map((token) => (
          <div key={token} className="grid items-baseline gap-x-6 md:grid-cols-[10rem_minmax(0,1fr)]">
            <span className="text-xs text-ink-faint tabular-nums">
              {token.slice("--text-".length)} · {pixelsOf(`var(${token})`)} /{" "}
              {pixelsOf(`var(${token}--line-height)`)} px
            </span>
            <span style={{ fontSize: `var(${token})`, lineHeight: `var(${token}--line-height)` }}>
              Down for 4 minutes: the server refused the connection.
            </span>
          </div>
        ))}
        <hr className="border-line" />
        {Object.entries(weights).map(([weight, use]) => (
          <div key={weight} className="grid items-baseline gap-x-6 md:grid-cols-[10rem_minmax(0,1fr)]">
            <span className="text-xs text-ink-faint">
              {weight} · {use}
            </span>
            <span style={{ fontWeight: weight }}>
              Checkout API, 99.98% <span className="tabular-nums">1,111 ms 8,888 ms</span>
            </span>
          </div>
        ))}
      </Card>
    </Part>
  );
}
