import AuricleCLI

await ToolProcess.main()
