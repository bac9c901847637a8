package main

import (
	"bytes"
	"cmp"
	"fmt"
	"path"

	"go.yaml.in/yaml/v3"

	"anyhook.net/desktop/capture"
)

// decodeEndpoints reads one endpoint, a list of them, or {endpoints: [...]}.
// An unknown field is an error that says its line.
func decodeEndpoints(doc *yaml.Node) ([]capture.Endpoint, error) {
	node := doc
	if node.Kind == yaml.DocumentNode && len(node.Content) == 1 {
		node = node.Content[0]
	}
	if node.Kind == yaml.MappingNode && len(node.Content) == 2 && node.Content[0].Value == "endpoints" {
		node = node.Content[1]
	}
	var all []capture.Endpoint
	switch node.Kind {
	case yaml.MappingNode:
		var e capture.Endpoint
		if err := strict(node, &e); err != nil {
			return nil, err
		}
		all = append(all, e)
	case yaml.SequenceNode:
		for _, n := range node.Content {
			var e capture.Endpoint
			if err := strict(n, &e); err != nil {
				return nil, err
			}
			all = append(all, e)
		}
	default:
		return nil, fmt.Errorf("want an endpoint or a list of endpoints")
	}
	names, paths := map[string]bool{}, map[string]bool{}
	for i := range all {
		if all[i].Name == "" {
			all[i].Name = cmp.Or(all[i].Path, "default")
		}
		if names[all[i].Name] {
			return nil, fmt.Errorf("two endpoints are called %s", all[i].Name)
		}
		names[all[i].Name] = true
		at := path.Clean("/" + all[i].Path)
		if paths[at] {
			return nil, fmt.Errorf("two endpoints have the path %s", at)
		}
		paths[at] = true
	}
	return all, nil
}

// strict decodes n and refuses fields that v does not have. A node cannot be
// decoded strictly by itself, so it goes through its text.
func strict(n *yaml.Node, v any) error {
	known := map[string]bool{}
	var probe yaml.Node
	if err := probe.Encode(v); err != nil {
		return err
	}
	for i := 0; i+1 < len(probe.Content); i += 2 {
		known[probe.Content[i].Value] = true
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if k := n.Content[i]; !known[k.Value] {
			return fmt.Errorf("line %d: no field %q in an endpoint", k.Line, k.Value)
		}
	}
	text, err := yaml.Marshal(n)
	if err != nil {
		return err
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	return dec.Decode(v)
}
