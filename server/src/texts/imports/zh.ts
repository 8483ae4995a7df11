import type { imports as english } from "./en.ts";

/** What there is to say of files that are imported, in Chinese; see en.ts. */
export const imports: Readonly<Record<keyof typeof english, string>> = {
  "import.format": "无法识别此文件的格式。请在 {field} 字段中指明：{formats}。",
  "import.syntax": "这不是有效的 {format}：无法读取第 {line} 行。",
  "import.columns": "第一行必须列出各列的名称，其中须有 url。",
  "import.version": "此文件由其他版本的 Vedette 写成。此版本读取以 vedette: {version} 开头的文件。",
  "import.empty": "此文件中没有需要监控的内容。",
  "import.encoding": "第 {line} 行有无法读取的字符。请将文件保存为 UTF-8。",
  "import.many": "此文件有 {count} 个监控项，一次最多可导入 {limit} 个。请将文件拆分。",
  "import.unreadable": "无法读取此文件：嵌套过深，或意在耗尽内存。",
  "import.nothing": "这不是监控项。",
  "import.kind": "Vedette 没有名为 {type} 的检查类型。",
  "import.address": "无法理解该地址（{scheme}）。",
  "import.variables": "需要提供 {names} 的值。",
  "import.setting": "{setting} 不会导入。",
  "import.changed": "{setting} 将由 {from} 改为 {to}。",
  "import.condition": "此条件不会导入：{condition}",
  "import.upside_down": "它在检查失败时才算正常（反转模式）。Vedette 没有这种设置。",
  "import.auth": "它通过 {method} 登录，Vedette 不支持。",
  "import.json_path": "JSON 查询 {path} 不只是 $.status 这样的路径。",
  "import.grpc": "它调用 {method}。Vedette 只通过标准协议查询 gRPC 服务器的健康状态。",
  "import.browser": "只请求该页面，不会在浏览器中打开。",
  "import.heartbeat": "它会有一个新地址，任务须改为请求新地址。",
  "import.member": "{name} 无法导入，因此不会成为成员。",
  "import.reference_unknown": "没有名为“{name}”的监控项：此处没有，此文件中也没有。",
  "import.reference_ambiguous":
    "有多个监控项名为“{name}”。请像导出文件那样，用 kind 和 target 指明是哪一个。",
  "import.exists": "已在监控中。",
  "import.twice": "与此文件第 {line} 行相同。",
  "import.repeated": "与此文件中靠前的一项相同。",
};
