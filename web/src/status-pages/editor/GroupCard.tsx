import { ArrowDown, ArrowUp, CircleAlert, Ellipsis, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Menu, MenuItem } from "../../components/Menu.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { changeGroup, removeGroup } from "./arrange.ts";
import { ComponentList } from "./ComponentList.tsx";
import { DropLine, MoveHandle, useDraggable, useDropPlace } from "./MoveHandle.tsx";
import type { DraftGroup } from "./page-draft.ts";
import type { Arranging } from "./use-arranging.ts";

interface GroupCardProps {
  group: DraftGroup;
  at: number;
  arranging: Arranging;
  onAdd: () => void;
}

export function GroupCard({ group, at, arranging, onAdd }: GroupCardProps) {
  const { t } = useTranslation("status-pages/editor");
  const card = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLButtonElement>(null);
  const { key, name, isCollapsed, components } = group;
  const wrong = arranging.problems.get(key);
  const problems = wrong && Object.values(wrong).flat();
  const isDragged = useDraggable(card, handle, { of: "group", key });
  const edge = useDropPlace(card, {
    of: "group",
    halves: true,
    onDrop: (moved, half) => arranging.moveGroupTo(moved, half === "bottom" ? at + 1 : at),
  });
  const change = (more: Partial<DraftGroup>) => arranging.edit((draft) => changeGroup(draft, key, more));
  const shown = name || t("contents.unnamed");
  return (
    <div
      ref={card}
      role="group"
      aria-label={shown}
      data-group={key}
      className={`relative ${isDragged ? "opacity-40" : ""}`}
    >
      <DropLine edge={edge} />
      <Card>
        <div className="grid gap-1.5 border-b border-line py-2 pr-2 pl-1.5">
          <div className="flex items-center gap-1">
            <MoveHandle
              ref={handle}
              of={key}
              name={shown}
              hint={arranging.hint}
              onMove={arranging.stepGroupBy}
            />
            <input
              data-group-name={key}
              aria-label={t("group.name")}
              aria-invalid={problems ? true : undefined}
              placeholder={t("group.name")}
              value={name}
              maxLength={255}
              autoComplete="off"
              onChange={({ target }) => change({ name: target.value })}
              className="control min-w-0 flex-1 font-medium"
            />
            <GroupMenu group={group} shown={shown} arranging={arranging} onAdd={onAdd} />
          </div>
          {problems && (
            <p role="alert" className="flex gap-1.5 pl-8 text-sm text-down-ink">
              <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
              {problems.join(" ")}
            </p>
          )}
          <div className="pl-8 text-sm text-ink-muted">
            <Tick type="checkbox" checked={isCollapsed} onChange={(on) => change({ isCollapsed: on })}>
              {t("group.collapsed")}
            </Tick>
          </div>
        </div>
        <ComponentList list={key} components={components} arranging={arranging} />
      </Card>
    </div>
  );
}

interface GroupMenuProps extends Pick<GroupCardProps, "group" | "arranging" | "onAdd"> {
  shown: string;
}

function GroupMenu({ group: { key }, shown, arranging, onAdd }: GroupMenuProps) {
  const { t } = useTranslation("status-pages/editor");
  const trigger = (
    <IconButton label={t("actionsFor", { name: shown })} data-row-menu={key}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      <MenuItem icon={<Plus aria-hidden />} onSelect={onAdd}>
        {t("contents.add")}
      </MenuItem>
      <MenuItem icon={<ArrowUp aria-hidden />} onSelect={() => arranging.stepGroupBy(key, -1)}>
        {t("action.up")}
      </MenuItem>
      <MenuItem icon={<ArrowDown aria-hidden />} onSelect={() => arranging.stepGroupBy(key, 1)}>
        {t("action.down")}
      </MenuItem>
      <MenuItem
        icon={<Trash2 aria-hidden />}
        danger
        onSelect={() =>
          arranging.edit((draft) => removeGroup(draft, key), t("said.ungrouped", { name: shown }))
        }
      >
        {t("action.ungroup")}
      </MenuItem>
    </Menu>
  );
}
