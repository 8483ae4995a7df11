import { Radar } from "lucide-react";
import { Button } from "../components/Button.tsx";
import { Callout, FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { LiveSign } from "../components/LiveIndicator.tsx";
import { EmptyState, Loaded, Skeleton } from "../components/Loaded.tsx";
import { type ShownStatus, StatusDot, statusInk } from "../components/StatusDot.tsx";
import { Toast } from "../components/Toast.tsx";
import { monitorKinds } from "../kinds.ts";
import { Exhibit, Part } from "./Exhibit.tsx";
import { readings, statuses } from "./specimens.ts";

const toasts = [
  {
    tone: "error",
    text: "Checkout API went down. It refused the connection.",
    monitor: { kind: monitorKinds.domain, id: 1 },
  },
  { tone: "warning", text: "Search is slow: 1,840 ms." },
  { tone: "success", text: "118 domains were paused.", action: { label: "Undo", run: () => {} } },
  { tone: "info", text: "None of them is paused." },
] as const;

export function Feedback() {
  return (
    <Part
      title="Feedback"
      text="Colour is never the only sign: the words say it too. What is loading has the shape of what will come, so that nothing moves."
    >
      <div className="grid gap-8 lg:grid-cols-2">
        <div className="grid content-start gap-8">
          <Statuses />
          <Callouts />
        </div>
        <Exhibit
          of={["Toast"]}
          text="About what just happened; errors stay until they are dismissed, and what is about a monitor leads there."
          bare
        >
          <div className="grid gap-2">
            {toasts.map((message) => (
              <Toast key={message.tone} message={message} onDismiss={() => {}} />
            ))}
          </div>
        </Exhibit>
        <Exhibit of={["EmptyState"]} text="Replaces an empty list, and says what to do." bare>
          <Card>
            <EmptyState
              icon={<Radar aria-hidden className="size-7" strokeWidth={1.25} />}
              title="Nothing here yet"
              text="Type an address, and within seconds you will see whether it answers."
            >
              <Button>Add the first</Button>
            </EmptyState>
          </Card>
        </Exhibit>
        <Exhibit
          of={["Loaded"]}
          text="What is read, in its states: failed with another try, refused, and old because it could not be read again."
          bare
        >
          <div className="grid gap-5">
            {readings.map((reading) => (
              <Card key={String(reading.error)}>
                <Loaded of={reading} failed="The checks could not be loaded" loading={null}>
                  {(text) => <p className="px-4 py-3.5">{text}</p>}
                </Loaded>
              </Card>
            ))}
          </div>
        </Exhibit>
      </div>
    </Part>
  );
}

function Statuses() {
  return (
    <Exhibit
      of={["StatusDot"]}
      text="With the halo where the eye should go; plain inside filters and headings."
    >
      <ul className="grid w-full gap-x-6 gap-y-3 sm:grid-cols-2">
        {(Object.entries(statuses) as [ShownStatus, string][]).map(([status, words]) => (
          <li key={status} className={`flex items-center gap-3 text-sm ${statusInk[status]}`}>
            <StatusDot status={status} />
            <StatusDot status={status} plain />
            {words}
          </li>
        ))}
      </ul>
    </Exhibit>
  );
}

function Callouts() {
  return (
    <Exhibit
      of={["Callout", "FailureCallout", "Skeleton", "LiveIndicator"]}
      text="Inside a form, of a fault of the server's with what its log calls it; on its way; the live stream."
    >
      <div className="grid w-full gap-3">
        <Callout tone="error">The e-mail address or the password is wrong.</Callout>
        <FailureCallout
          of={{ message: "Something went wrong on the server. Its log says what.", requestId: "4f1c9a02" }}
        />
        <Callout tone="info">Another user has changed this in the meantime.</Callout>
        <Skeleton className="mt-1 h-3.5 w-40" />
        <Skeleton className="h-3 w-64" />
        <div className="mt-1 flex flex-wrap gap-4">
          {(["connecting", "on", "off"] as const).map((state) => (
            <LiveSign key={state} state={state} />
          ))}
        </div>
      </div>
    </Exhibit>
  );
}
