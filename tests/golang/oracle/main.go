// Command oracle answers questions about Go's standard library and a few modules, one JSON value per line:
// {"function": NAME, "arguments": [TEXT, ...]} on standard input gives one answer on standard output.
// A refused text gives {"error": TEXT}. `oracle tables` prints the Unicode tables instead (see unicode.go).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type question struct {
	Function  string   `json:"function"`
	Arguments []string `json:"arguments"`
}

type answer = map[string]any

var functions = map[string]func(arguments []string) any{
	"addr":     readAddr,
	"format":   hasFormats,
	"literal":  readLiteral,
	"names":    nameProblems,
	"plural":   readPlural,
	"prefix":   readPrefix,
	"quantity": readQuantity,
	"quote":    readQuote,
	"regexp":   readRegexp,
	"semver":   readSemver,
	"url":      readURL,
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "tables" {
		printTables()
		return
	}
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(nil, 1<<26)
	output := bufio.NewWriter(os.Stdout)
	defer output.Flush()
	encoder := json.NewEncoder(output)
	encoder.SetEscapeHTML(false)
	for input.Scan() {
		var asked question
		if err := json.Unmarshal(input.Bytes(), &asked); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := encoder.Encode(functions[asked.Function](asked.Arguments)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func refused(err error) answer {
	return answer{"error": err.Error()}
}
