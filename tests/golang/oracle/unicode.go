package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

const widest = 120

// printTables prints kro_ls/golang/unicode_tables.py.
func printTables() {
	fmt.Printf(`"""The Unicode tables of Go %s, numbers in base 36; see unicode.py for their use.

Printed by tests/golang/oracle ("oracle tables"), not written by hand. Scripts whose names hold an underscore or
a second capital letter are left out: Go's package regexp/syntax does not find them.
"""

VERSION = "%s"

`, "1.26", unicode.Version)
	ranges := []string{}
	for _, name := range sorted(unicode.Categories) {
		if len(name) == 2 && name != "LC" && name != "Cn" {
			ranges = append(ranges, runs(name, unicode.Categories[name])...)
		}
	}
	for _, name := range sorted(unicode.Scripts) {
		if name == strings.ToUpper(name[:1])+strings.ToLower(name[1:]) {
			ranges = append(ranges, runs(name, unicode.Scripts[name])...)
		}
	}
	printText("RANGES", ranges, `Each name is followed by its runs: the gap since the run before, and "." and the length unless it is 1.`)
	fmt.Println()
	aliases := []string{}
	for _, name := range sorted(unicode.CategoryAliases) {
		aliases = append(aliases, name+">"+unicode.CategoryAliases[name])
	}
	printText("CATEGORY_ALIASES", aliases, "The long names of categories.")
	fmt.Println()
	printText("FOLDING", foldings(), `What is the same but for its case: "first.count.step.distance" stands for pairs, "a,b,c" for more than two.`)
}

func runs(name string, table *unicode.RangeTable) []string {
	tokens := []string{name}
	end, length := rune(0), rune(0)
	start := rune(-1)
	flush := func() {
		if start >= 0 {
			token := base36(start - end)
			if length > 1 {
				token += "." + base36(length)
			}
			tokens = append(tokens, token)
			end = start + length
		}
	}
	for code := rune(0); code <= unicode.MaxRune; code++ {
		switch {
		case !unicode.Is(table, code):
		case start >= 0 && code == start+length:
			length++
		default:
			flush()
			start, length = code, 1
		}
	}
	flush()
	return tokens
}

func foldings() []string {
	pairs, tokens := [][2]rune{}, []string{}
	for first := rune(0); first <= unicode.MaxRune; first++ {
		orbit := []rune{first}
		for other := unicode.SimpleFold(first); other > first; other = unicode.SimpleFold(other) {
			orbit = append(orbit, other)
		}
		switch last := orbit[len(orbit)-1]; {
		case unicode.SimpleFold(last) != first || len(orbit) == 1:
		case len(orbit) == 2:
			pairs = append(pairs, [2]rune{orbit[0], orbit[1]})
		default:
			tokens = append(tokens, strings.Join(each(orbit, base36), ","))
		}
	}
	for start := 0; start < len(pairs); {
		end, step := start+1, rune(1)
		distance := pairs[start][1] - pairs[start][0]
		if end < len(pairs) {
			step = pairs[end][0] - pairs[start][0]
		}
		for end < len(pairs) && pairs[end][0]-pairs[end-1][0] == step && pairs[end][1]-pairs[end][0] == distance {
			end++
		}
		if end == start+1 {
			step = 1
		}
		run := []rune{pairs[start][0], rune(end - start), step, distance}
		tokens = append(tokens, strings.Join(each(run, base36), "."))
		start = end
	}
	return tokens
}

func base36(number rune) string {
	return strconv.FormatInt(int64(number), 36)
}

func each(numbers []rune, shown func(rune) string) []string {
	texts := []string{}
	for _, number := range numbers {
		texts = append(texts, shown(number))
	}
	return texts
}

func sorted[Value any](table map[string]Value) []string {
	names := []string{}
	for name := range table {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func printText(title string, words []string, meaning string) {
	fmt.Printf("%s = \"\"\"", title)
	column := widest
	for _, word := range words {
		if column+1+len(word) > widest {
			fmt.Printf("\n    ")
			column = 3
		} else {
			fmt.Print(" ")
		}
		fmt.Print(word)
		column += 1 + len(word)
	}
	fmt.Printf("\n\"\"\"\n\"\"\"%s\"\"\"\n", strings.ReplaceAll(meaning, `"""`, ""))
}
