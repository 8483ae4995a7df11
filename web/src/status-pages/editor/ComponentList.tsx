import { ArrowDown, ArrowUp, ChevronRight, CircleAlert, Ellipsis, Trash2, TriangleAlert } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { METRIC_NAMES } from "../../../../server/src/status-pages/contents/component-metrics.ts";
import type { FieldErrors } from "../../api/client.ts";
import { IconButton } from "../../components/Button.tsx";
import { Field } from "../../components/Field.tsx";
import { Menu, MenuChoices, MenuItem } from "../../components/Menu.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { changeComponent, listOf, removeComponent } from "./arrange.ts";
import { DropLine, MoveHandle, useDraggable, useDropPlace } from "./MoveHandle.tsx";
import type { DraftComponent, ListKey } from "./page-draft.ts";
import { type Arranging, nameOf } from "./use-arranging.ts";

interface ComponentListProps {
  list: ListKey;
  components: readonly DraftComponent[];
  arranging: Arranging;
}

/** The components of a group, or those without one; what is dropped below them becomes the last. */
export function ComponentList({ list, components, arranging }: ComponentListProps) {
  const { t } = useTranslation("status-pages/editor");
  const place = useRef<HTMLDivElement>(null);
  const edge = useDropPlace(place, {
    of: "component",
    onDrop: (key) => arranging.moveTo(key, { list, at: components.length }),
  });
  return (
    <div ref={place}>
      {components.length === 0 ? (
        <p className={`px-4 py-3.5 text-sm text-ink-faint ${edge ? "rounded-lg bg-hover" : ""}`}>
          {t(list === null ? "contents.noneAlone" : "contents.noneInGroup")}
        </p>
      ) : (
        <ul>
          {components.map((component, at) => (
            <ComponentRow
              key={component.key}
              component={component}
              list={list}
              at={at}
              arranging={arranging}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ComponentRowProps {
  component: DraftComponent;
  list: ListKey;
  at: number;
  arranging: Arranging;
}

const noProblems: FieldErrors = {};

/** What is said below a box of the row's own. */
const isBox = (name: string) => name === "displayName" || name === "description";
const hasBox = (problems: FieldErrors) => Object.keys(problems).some(isBox);

/** Whether a row shows its boxes: also from the moment on at which a save is refused because of one of them. */
function useOpen(refusal: Error | null, isWrong: boolean) {
  const [isOpen, setOpen] = useState(refusal !== null && isWrong);
  const [known, setKnown] = useState(refusal);
  if (refusal !== known) {
    setKnown(refusal);
    if (refusal !== null && isWrong) setOpen(true);
  }
  return [isOpen, setOpen] as const;
}

/** One component: what moves it, what visitors read, and on demand how it is shown. */
function ComponentRow({ component, list, at, arranging }: ComponentRowProps) {
  const { t } = useTranslation("status-pages/editor");
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { key, monitorName } = component;
  const problems = arranging.problems.get(key) ?? noProblems;
  const [isOpen, setOpen] = useOpen(arranging.refusal, hasBox(problems));
  const outside = Object.entries(problems).flatMap(([box, said]) => (isOpen && isBox(box) ? [] : said));
  const isWrong = Object.keys(problems).length > 0;
  const isDragged = useDraggable(row, handle, { of: "component", key });
  const edge = useDropPlace(row, {
    of: "component",
    halves: true,
    onDrop: (moved, half) => arranging.moveTo(moved, { list, at: half === "bottom" ? at + 1 : at }),
  });
  const name = nameOf(component);
  const shown = METRIC_NAMES.filter((metric) => component[metric]).map((metric) => t(`metric.${metric}`));
  return (
    <li
      ref={row}
      data-component={key}
      className={`relative border-t border-line first:border-t-0 ${isDragged ? "opacity-40" : ""}`}
    >
      <DropLine edge={edge} />
      <div className="flex items-center gap-1 py-1.5 pr-2 pl-1.5">
        <MoveHandle ref={handle} of={key} name={name} hint={arranging.hint} onMove={arranging.stepBy} />
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          data-wrong={outside.length > 0 ? "" : undefined}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-sm py-1 pr-1 text-left"
        >
          <span className="min-w-0 flex-1">
            <span className={`block truncate font-medium ${isWrong ? "text-down-ink" : ""}`}>{name}</span>
            <span className="block truncate text-xs text-ink-faint">
              {monitorName !== null && monitorName !== name ? `${monitorName} · ` : ""}
              {shown.length > 0 ? shown.join(", ") : t("metric.none")}
            </span>
          </span>
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-ink-faint transition-transform duration-150 ${isOpen ? "rotate-90" : ""}`}
          />
        </button>
        <ComponentMenu component={component} list={list} arranging={arranging} />
      </div>
      {outside.length > 0 && (
        <p role="alert" className="flex gap-1.5 px-4 pb-2.5 text-sm text-down-ink">
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {outside.join(" ")}
        </p>
      )}
      {arranging.revealing.includes(key) && (
        <p role="status" className="flex gap-1.5 px-4 pb-2.5 text-sm text-warn-ink">
          <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {t("component.revealing")}
        </p>
      )}
      <div id={id} hidden={!isOpen} className="px-4 pt-1 pb-4 sm:pl-11">
        {isOpen && (
          <ComponentFields
            component={component}
            errors={problems}
            onChange={(change) => arranging.edit((draft) => changeComponent(draft, key, change))}
          />
        )}
      </div>
    </li>
  );
}

interface ComponentFieldsProps {
  component: DraftComponent;
  /** What is wrong, by the name of the box. */
  errors: FieldErrors;
  onChange: (change: Partial<DraftComponent>) => void;
}

/** How a component is shown: its name and its words, and which of its metrics visitors see. */
function ComponentFields({ component, errors, onChange }: ComponentFieldsProps) {
  const { t } = useTranslation("status-pages/editor");
  const { isNew, monitorName, displayName, description } = component;
  return (
    <div className="grid gap-4">
      <Field
        label={t("component.name")}
        hint={t("component.nameHint")}
        value={displayName}
        {...(errors["displayName"] && { errors: errors["displayName"] })}
        placeholder={isNew ? (monitorName ?? undefined) : undefined}
        maxLength={255}
        autoComplete="off"
        onChange={({ target }) => onChange({ displayName: target.value })}
      />
      <Field
        label={t("component.description")}
        optional
        value={description}
        {...(errors["description"] && { errors: errors["description"] })}
        maxLength={500}
        autoComplete="off"
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">{t("component.metrics")}</legend>
        {METRIC_NAMES.map((name) => (
          <Tick
            key={name}
            type="checkbox"
            checked={component[name]}
            onChange={(on) => onChange({ [name]: on })}
          >
            {t(`component.${name}`)}
          </Tick>
        ))}
      </fieldset>
    </div>
  );
}

interface ComponentMenuProps {
  component: DraftComponent;
  list: ListKey;
  arranging: Arranging;
}

/** What can be done with a component, for fingers and keys alike. */
function ComponentMenu({ component, list, arranging }: ComponentMenuProps) {
  const { t } = useTranslation("status-pages/editor");
  const { key } = component;
  const { draft } = arranging;
  const name = nameOf(component);
  const trigger = (
    <IconButton label={t("actionsFor", { name })} data-row-menu={key}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  const choices = [
    { value: "", text: t("contents.noGroup") },
    ...draft.groups.map((group) => ({ value: group.key, text: group.name || t("contents.unnamed") })),
  ];
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={<ArrowUp aria-hidden />} onSelect={() => arranging.stepBy(key, -1)}>
        {t("action.up")}
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden />} onSelect={() => arranging.stepBy(key, 1)}>
        {t("action.down")}
      </MenuItem>
      {draft.groups.length > 0 && (
        <MenuChoices
          label={t("action.group")}
          value={list ?? ""}
          choices={choices}
          onChoose={(chosen) => {
            const to = chosen === "" ? null : chosen;
            if (to !== list) arranging.moveTo(key, { list: to, at: listOf(draft, to).length });
          }}
        />
      )}
      <MenuItem
        icon={<Trash2 aria-hidden />}
        danger
        onSelect={() => arranging.edit((one) => removeComponent(one, key), t("said.removed", { name }))}
      >
        {t("action.remove")}
      </MenuItem>
    </Menu>
  );
}
