import { Check, ExternalLink } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

interface MenuProps {
  trigger: ReactNode;
  /** Where it opens, and which of its edges lies on the button's; it turns over where there is no room. */
  side?: "bottom" | "top" | "right";
  align?: "start" | "end";
  children: ReactNode;
}

/** Not modal: a modal menu writes a <style> element against scrolling, which the content security policy forbids. */
export function Menu({ trigger, side = "bottom", align = "end", children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="arriving z-30 max-w-[min(17.5rem,calc(100vw-1rem))] min-w-44 rounded-md border border-line bg-raised p-1 text-sm shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const itemLook =
  "flex h-8 items-center gap-2.5 rounded-sm px-2 outline-none select-none data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-faint";

export function MenuItem({
  icon,
  danger = false,
  onSelect,
  children,
}: {
  icon: ReactNode;
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className={`${itemLook} ${danger ? "text-down-ink [&>svg]:text-down-ink" : ""}`}
    >
      {icon}
      <span className="min-w-0 truncate">{children}</span>
    </DropdownMenu.Item>
  );
}

/** A choice of a Menu that leads to a page outside of the app, in a window of its own. */
export function MenuLink({ icon, href, children }: { icon: ReactNode; href: string; children: ReactNode }) {
  return (
    <DropdownMenu.Item asChild className={itemLook}>
      <a href={href} target="_blank" rel="noreferrer">
        {icon}
        <span className="min-w-0 flex-1 truncate">{children}</span>
        <ExternalLink aria-hidden />
      </a>
    </DropdownMenu.Item>
  );
}

interface MenuChoicesProps<Value extends string> {
  /** What is chosen here. */
  label: string;
  value: Value;
  /** `lang`: of the text, where it is not the page's. */
  choices: readonly { value: Value; text: string; lang?: string }[];
  onChoose: (value: Value) => void;
}

/** A Menu's group of choices, one of which is always selected; set apart from the items around it. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>) {
  const { label, value, choices, onChoose } = props;
  return (
    <DropdownMenu.RadioGroup
      aria-label={label}
      value={value}
      className="my-1 border-y border-line py-1 [[role=group]+&]:-mt-1 [[role=group]+&]:border-t-0 first:mt-0 first:border-t-0 first:pt-0 last:mb-0 last:border-b-0 last:pb-0"
    >
      <DropdownMenu.Label aria-hidden className="px-2 pt-1 pb-0.5 text-xs text-ink-faint">
        {label}
      </DropdownMenu.Label>
      {choices.map((choice) => (
        <DropdownMenu.RadioItem
          key={choice.value}
          value={choice.value}
          lang={choice.lang}
          onSelect={() => onChoose(choice.value)}
          className="flex min-h-8 items-center gap-2.5 rounded-sm px-2 py-1 outline-none select-none data-highlighted:bg-hover"
        >
          <span className="size-4 shrink-0 text-ink-faint">
            <DropdownMenu.ItemIndicator>
              <Check aria-hidden className="size-4" />
            </DropdownMenu.ItemIndicator>
          </span>
          <span title={choice.text} className="line-clamp-2 min-w-0 wrap-anywhere">
            {choice.text}
          </span>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="mt-1 border-t border-line px-2 pt-2 pb-1 text-xs text-ink-faint">
      {children}
    </DropdownMenu.Label>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <DropdownMenu.Label className="mb-1 border-b border-line px-2 pt-1 pb-2">{children}</DropdownMenu.Label>
  );
}
