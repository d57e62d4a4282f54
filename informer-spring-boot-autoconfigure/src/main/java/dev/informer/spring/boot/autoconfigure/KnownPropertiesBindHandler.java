/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * {@link BindHandler} that rejects properties which would be ignored, permits YAML keys
 * without content, and ignores the variables that Kubernetes has set for a Service such
 * as {@code informer-handlers}.
 */
public final class KnownPropertiesBindHandler extends AbstractBindHandler {

	private @Nullable Set<String> serviceLinks;

	/**
	 * Create a handler.
	 * @param parent the handler that is asked after this one
	 */
	public KnownPropertiesBindHandler(BindHandler parent) {
		super(parent);
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		if (KnownProperties.PREFIX.equals(name)) {
			KnownProperties.check(context.getSources());
		}
		return (KnownProperties.PREFIX.isAncestorOf(name) && areServiceLinks(name, context)) ? null
				: super.onStart(name, target, context);
	}

	private boolean areServiceLinks(ConfigurationPropertyName name, BindContext context) {
		Set<String> links = this.serviceLinks;
		if (links == null) {
			links = KnownProperties.serviceLinks(context.getSources());
			this.serviceLinks = links;
		}
		if (links.isEmpty()) {
			return false;
		}
		List<@Nullable String> variables = KnownProperties.below(name, context.getSources())
			.stream()
			.<@Nullable String>map(KnownProperties::variable)
			.toList();
		return !variables.isEmpty() && links.containsAll(variables);
	}

	/**
	 * Bind a key without content, whose text cannot be converted, to its defaults.
	 */
	@Override
	public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Exception error) throws Exception {
		List<ConfigurationProperty> properties = KnownProperties.PREFIX.isAncestorOf(name)
				? KnownProperties.below(name, context.getSources()) : List.of();
		boolean empty = !properties.isEmpty()
				&& properties.stream().allMatch((property) -> property.getValue().toString().isEmpty());
		if (!empty || !(error instanceof ConverterNotFoundException)) {
			return super.onFailure(name, target, context, error);
		}
		Object defaults = Map.class.isAssignableFrom(target.getType().toClass()) ? Map.of()
				: new Binder(List.of()).bindOrCreate(name.toString(), target);
		return super.onSuccess(name, target, context, defaults);
	}

}
