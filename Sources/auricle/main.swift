import AuricleCLI

ToolProcess.main()
