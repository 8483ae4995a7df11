import type { parents as english } from "./en.ts";

/** What there is to say of what monitors depend on, in Chinese (see ../en.ts for the slots). */
export const parents: Record<keyof typeof english, string> = {
  "parent.unknown": "不存在站点、服务或设备 {uuid}。",
  "parent.itself": "监控项不能依赖自身。",
  "parent.cycle": "“{name}”本身直接或间接地依赖此监控项。",
  "parent.member": "“{name}”直接或间接地依赖本组，因此不能成为其成员。",
  "watch.behind": "其依赖的 {name} 也发生故障：不发送通知。{ because}",
  "watch.released": "其依赖项已不再处于故障状态：需要重新确认。",
  "watch.told": "其依赖项均未处于故障状态：发送通知。{ because}",
  "explain.held_back": "自 {at:time} 起未通知：其依赖的 {name} 当时处于故障状态。{ because}",
  "explain.released": "{at:time} 解除：其依赖项均已不再处于故障状态，此后需要重新确认。",
  "explain.told": "{at:time} 重新确认：已发送通知。{ because}",
};
