import { Pause, Plus, Search, Trash2 } from "lucide-react";
import { useState } from "react";
import { BareHeader, Logo } from "../components/BareHeader.tsx";
import { Button, ButtonLink, IconButton } from "../components/Button.tsx";
import { Card } from "../components/Card.tsx";
import { CopyableText, CopyButton } from "../components/CopyButton.tsx";
import { Checkbox, Field, PasswordField, TextArea } from "../components/Field.tsx";
import { LanguageMenu } from "../components/LanguageMenu.tsx";
import { LogPages } from "../components/LogPages.tsx";
import { RangePicker } from "../components/RangePicker.tsx";
import { ThemeToggle } from "../components/ThemeToggle.tsx";
import { LabelledSelect } from "../forms/LabelledSelect.tsx";
import { Exhibit, Part } from "./Exhibit.tsx";
import { Overlays } from "./Overlays.tsx";

export function Controls() {
  return (
    <Part
      title="Controls"
      text="All of them work with the keyboard and show where the focus is. One primary button a page: what most people came for."
    >
      <div className="grid gap-8 lg:grid-cols-2">
        <Buttons />
        <Choices />
        <Fields />
        <div className="grid content-start gap-8">
          <Overlays />
          <Exhibit
            of={["BareHeader", "Logo", "LanguageMenu", "ThemeToggle"]}
            text="Above pages without a session."
            bare
          >
            <Card>
              <BareHeader />
              <div className="flex items-center gap-3 border-t border-line p-4">
                <Logo className="size-10" />
                <Logo />
                <Logo className="size-4" />
                <LanguageMenu />
                <ThemeToggle />
              </div>
            </Card>
          </Exhibit>
        </div>
      </div>
    </Part>
  );
}

function Buttons() {
  return (
    <Exhibit
      of={["Button", "ButtonLink", "CopyButton"]}
      text="Primary, quiet, dangerous; busy ones keep their width. A link in a button's look leads to a page. One that copies says that it has."
    >
      <CopyableText>https://example.org/invitation#3q2-7wTf</CopyableText>
      <CopyButton variant="quiet" value="example" />
      <Button>
        <Plus aria-hidden className="-ml-0.5 size-4" />
        Add
      </Button>
      <Button variant="quiet">
        <Pause aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
        Pause
      </Button>
      <Button variant="danger">Delete</Button>
      <Button busy>Save</Button>
      <Button variant="quiet" busy>
        Try again
      </Button>
      <Button disabled>Save</Button>
      <Button variant="quiet" disabled>
        Edit
      </Button>
      <ButtonLink to="/styleguide">Styleguide</ButtonLink>
      <IconButton label="Search">
        <Search aria-hidden className="size-4" />
      </IconButton>
      <IconButton label="Delete">
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
    </Exhibit>
  );
}

const ranges = ["1h", "24h", "7d", "30d"] as const;

function Choices() {
  const [checked, setChecked] = useState(true);
  const [range, setRange] = useState<(typeof ranges)[number]>("24h");
  const [page, setPage] = useState(2);
  return (
    <Exhibit
      of={["Checkbox", "RangePicker", "LogPages"]}
      text="Any of many; one of a few, moved with the arrow keys; a page of a log."
    >
      {[false, true].map((value) => (
        <Checkbox
          key={String(value)}
          label={value ? "Turned over" : "Turns over"}
          checked={value === checked}
          onChange={() => setChecked(!checked)}
          className="relative"
        />
      ))}
      <Checkbox label="Some of them" checked={false} mixed onChange={() => {}} className="relative" />
      <RangePicker
        label="Range"
        options={ranges}
        value={range}
        textOf={(option) => ({ short: option, long: `Last ${option}` })}
        onPick={setRange}
      />
      <div className="w-full">
        <LogPages page={page} pages={3} total={52} onPage={setPage} />
      </div>
    </Exhibit>
  );
}

function Fields() {
  return (
    <Exhibit
      of={["Field", "TextArea", "LabelledSelect"]}
      text="The label above, the hint below; an error takes the hint's place."
      bare
    >
      <Card className="grid gap-5 p-4">
        <Field label="Empty" placeholder="example.com" />
        <Field label="With a hint" hint="Usually 60." defaultValue="60" />
        <Field label="Left out by most" optional defaultValue="Northwind" />
        <Field
          label="Not accepted"
          defaultValue="ftp://files.northwind.example"
          errors={["Only http and https can be watched."]}
        />
        <PasswordField
          label="A secret"
          defaultValue="a lamp in every window"
          autoComplete="off"
          hint="At least 8 characters."
        />
        <Field label="Not now" disabled defaultValue="Paused" />
        <TextArea
          label="Of several lines"
          hint="At most 10,000 characters."
          defaultValue="The queue is full."
        />
        <LabelledSelect
          label="One of a few"
          value="high"
          options={[
            ["high", "High"],
            ["low", "Low"],
          ]}
          onChange={() => {}}
        />
      </Card>
    </Exhibit>
  );
}
