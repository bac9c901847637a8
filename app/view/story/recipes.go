package story

import (
	"context"
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
)

// Recipes implements view.Desk.
func (d *Desk) Recipes(context.Context) ([]provider.Recipe, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.recipes), nil
}

// SaveRecipe implements view.Desk.
func (d *Desk) SaveRecipe(_ context.Context, old string, r provider.Recipe) error {
	if _, err := r.Provider(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recipes = append(slices.DeleteFunc(d.recipes, func(o provider.Recipe) bool { return o.Name == old }), r)
	return nil
}

// DeleteRecipe implements view.Desk.
func (d *Desk) DeleteRecipe(_ context.Context, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.recipes = slices.DeleteFunc(d.recipes, func(o provider.Recipe) bool { return o.Name == name })
	return nil
}

// TryRecipe implements view.Desk.
func (d *Desk) TryRecipe(r provider.Recipe, about *capture.Request, secrets []capture.Secret) (capture.Signature, []capture.Event, error) {
	row, err := r.Provider()
	if err != nil {
		return capture.Signature{}, nil, err
	}
	events, err := row.Events(about)
	s := capture.Signature{Status: capture.Unchecked, Why: capture.WhyNoSecret}
	if row.Verify != nil {
		s = row.Verify(about, secrets, about.At)
	}
	return s, events, err
}
