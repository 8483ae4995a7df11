import { Card } from "../components/Card.tsx";
import { Part } from "./Exhibit.tsx";
import { pixelsOf, readTokens } from "./tokens.ts";

/** The steps in use, in multiples of the unit. */
const steps = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24] as const;
const weights = { 400: "text", 500: "names, labels, what is chosen", 600: "headings, figures" } as const;

/** Space, corners and shadows. */
export function Measures() {
  return (
    <Part
      title="Space"
      text="Every distance is a multiple of one unit. Text stands 16 px from a card's edge, cards 16 px from each other, a control is 36 px high."
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

/** Sizes and weights of type. */
export function TypeScale() {
  const sizes = readTokens("--text-").filter((token) => !token.endsWith("--line-height"));
  return (
    <Part
      title="Type"
      text="One family, five sizes, three weights. Figures that stand in columns or change while one looks have digits of one width."
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
