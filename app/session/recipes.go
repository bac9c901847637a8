package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"anyhook.net/desktop/capture"
	"anyhook.net/desktop/capture/provider"
	"anyhook.net/desktop/capture/store"
)

// recipesSetting holds the providers that the user described, as JSON.
const recipesSetting = "recipes"

// maxRecipes is how many providers a user may describe.
const maxRecipes = 200

// loadRecipes puts the providers that the user described before those that are
// known. One that a later version of AnyHook knows itself is left out.
func loadRecipes(ctx context.Context, settings *store.Settings, known *capture.Providers) ([]provider.Recipe, error) {
	text, err := settings.Get(ctx, recipesSetting)
	if err != nil {
		return nil, err
	}
	var all []provider.Recipe
	if text != "" {
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, fmt.Errorf("read the providers you described: %w", err)
		}
	}
	rows := make([]capture.Provider, 0, len(all)+len(provider.All))
	for _, r := range all {
		if row, err := r.Provider(); err == nil {
			rows = append(rows, row)
		}
	}
	known.Replace(append(rows, provider.All...)...)
	return all, nil
}

// Recipes returns the providers that the user described.
func (s *Session) Recipes(ctx context.Context) ([]provider.Recipe, error) {
	return loadRecipes(ctx, s.settings, s.known)
}

// SaveRecipe replaces the provider called old, or adds one if old is "". What
// was read before stays as it was read; what arrives from now on is read anew.
func (s *Session) SaveRecipe(ctx context.Context, old string, r provider.Recipe) error {
	if _, err := r.Provider(); err != nil {
		return err
	}
	return s.changeRecipes(ctx, func(all []provider.Recipe) ([]provider.Recipe, error) {
		at := slices.IndexFunc(all, func(o provider.Recipe) bool { return o.Name == old })
		taken := slices.IndexFunc(all, func(o provider.Recipe) bool { return o.Name == r.Name })
		switch {
		case taken >= 0 && taken != at:
			return nil, fmt.Errorf("name: there is another provider %s", r.Name)
		case old != "" && at < 0:
			return nil, fmt.Errorf("there is no provider %s any more", old)
		case at >= 0 && r.Name != old && s.usesProvider(old):
			return nil, fmt.Errorf("name: an endpoint uses %s under this name", old)
		case at >= 0:
			all[at] = r
			return all, nil
		case len(all) >= maxRecipes:
			return nil, fmt.Errorf("at most %d providers of your own", maxRecipes)
		}
		return append(all, r), nil
	})
}

// DeleteRecipe forgets a provider that the user described.
func (s *Session) DeleteRecipe(ctx context.Context, name string) error {
	if s.usesProvider(name) {
		return errors.New("an endpoint uses it: choose another provider there first")
	}
	return s.changeRecipes(ctx, func(all []provider.Recipe) ([]provider.Recipe, error) {
		return slices.DeleteFunc(all, func(r provider.Recipe) bool { return r.Name == name }), nil
	})
}

func (s *Session) usesProvider(name string) bool {
	return slices.ContainsFunc(s.keep.list(), func(ep capture.Endpoint) bool { return ep.Provider == name })
}

func (s *Session) changeRecipes(ctx context.Context, change func([]provider.Recipe) ([]provider.Recipe, error)) error {
	s.recipes.Lock()
	defer s.recipes.Unlock()
	all, err := s.Recipes(ctx)
	if err != nil {
		return err
	}
	if all, err = change(all); err != nil {
		return err
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("keep the provider: %w", err)
	}
	if err := s.settings.Set(ctx, recipesSetting, string(text)); err != nil {
		return err
	}
	_, err = s.Recipes(ctx)
	s.db.Bell.Ring()
	return err
}

// TryRecipe reads a captured request as a recipe would, with the secrets given
// or, if there are none, those of the request's endpoint.
func (s *Session) TryRecipe(r provider.Recipe, about *capture.Request, secrets []capture.Secret) (capture.Signature, []capture.Event, error) {
	row, err := r.Provider()
	if err != nil {
		return capture.Signature{}, nil, err
	}
	if len(secrets) == 0 {
		secrets = s.endpointOf(about).Secrets
	}
	c := about.Clone()
	ep := capture.Endpoint{Provider: row.Name, Secrets: secrets}
	capture.Verify(c, capture.NewProviders(row), ep)
	events, err := row.Events(c)
	return c.Signature, events, err
}
