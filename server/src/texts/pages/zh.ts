import type { pages as english } from "./en.ts";

/** Why what is set of status pages is refused, in Chinese (see ../en.ts for the slots). */
export const pages: Record<keyof typeof english, string> = {
  "page.slug": "短名称为 3 到 64 个字符：a 到 z、0 到 9 和连字符。",
  "page.slug_reserved": "短名称 {slug} 为保留名称，请另选一个。",
  "page.slug_taken": "短名称 {slug} 已被使用，请另选一个。",
  "page.no_monitor": "没有 ID 为 {id} 的此类对象。",
  "page.linked": "它已在此页面上。",
  "page.name_needed": "此监控项的名称会透露检查的目标。请选择访客看到的名称。",
  "page.no_group": "此页面没有分组 {id}。",
  "page.no_component": "此页面没有组件 {id}。",
  "page.component_twice": "组件 {id} 出现了两次。",
  "page.group_twice": "分组 {id} 出现了两次。",
  "page.many_components": "一个状态页最多可有 {limit} 个组件。",
  "page.many": "一个组织最多可有 {limit} 个状态页。",
};
