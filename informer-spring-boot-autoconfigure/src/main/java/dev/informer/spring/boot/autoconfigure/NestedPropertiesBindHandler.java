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
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.convert.ConverterNotFoundException;

/**
 * {@link BindHandler} that rejects a value in place of nested properties, such as
 * {@code informer.startup=30s}. The binder ignores it when another source has nested
 * properties. A YAML key without content, such as one whose nested properties are
 * comments, is permitted. Rejects unknown environment variables and system properties.
 */
final class NestedPropertiesBindHandler extends AbstractBindHandler {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("informer");

	/** Number of elements of a key such as {@code informer.resources.pods}. */
	private static final int NAME_ELEMENTS = 3;

	private @Nullable Set<String> serviceLinks;

	NestedPropertiesBindHandler(BindHandler parent) {
		super(parent);
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		if (PREFIX.equals(name)) {
			InformerVariables.check(context.getSources());
		}
		if (PREFIX.isAncestorOf(name) && areServiceLinks(name, context)) {
			return null;
		}
		ConfigurationProperty property = hasNestedProperties(name, target) ? find(name, context) : null;
		if (property == null || !PREFIX.isAncestorOf(name)) {
			return super.onStart(name, target, context);
		}
		if (!isEmpty(property)) {
			throw new UnboundConfigurationPropertiesException(Set.of(property));
		}
		if (isAboveOther(name, context)) {
			throw new UnboundConfigurationPropertiesException(Set.of(property));
		}
		if (target.getType().toClass().isRecord()) {
			// fails, because no text can be converted to a record
			return super.onStart(name, target, context);
		}
		super.onSuccess(name, target, context, Map.of());
		return null;
	}

	/**
	 * Bind a record whose key has no content to its defaults.
	 */
	@Override
	public @Nullable Object onFailure(ConfigurationPropertyName name, Bindable<?> target, BindContext context,
			Exception error) throws Exception {
		ConfigurationProperty property = hasNestedProperties(name, target) ? find(name, context) : null;
		if (property == null || !isEmpty(property) || !(error instanceof ConverterNotFoundException)) {
			return super.onFailure(name, target, context, error);
		}
		return super.onSuccess(name, target, context, defaults(name, target));
	}

	private static <T> T defaults(ConfigurationPropertyName name, Bindable<T> target) {
		return new Binder(List.of()).bindOrCreate(name.toString(), target);
	}

	/**
	 * Return whether the only properties at and below a name are variables that
	 * Kubernetes has set for a Service such as {@code informer-handlers}.
	 */
	private boolean areServiceLinks(ConfigurationPropertyName name, BindContext context) {
		Set<String> links = this.serviceLinks;
		if (links == null) {
			links = InformerVariables.serviceLinks(context.getSources());
			this.serviceLinks = links;
		}
		boolean linked = false;
		if (!links.isEmpty()) {
			for (ConfigurationPropertySource source : context.getSources()) {
				for (ConfigurationPropertyName each : below(name, source)) {
					linked = true;
					if (!InformerVariables.isVariables(source) || !links.contains(InformerVariables.variable(each))) {
						return false;
					}
				}
			}
		}
		return linked;
	}

	private static List<ConfigurationPropertyName> below(ConfigurationPropertyName name,
			ConfigurationPropertySource source) {
		return (source instanceof IterableConfigurationPropertySource iterable)
				? iterable.stream().filter((each) -> name.equals(each) || name.isAncestorOf(each)).toList() : List.of();
	}

	private static boolean hasNestedProperties(ConfigurationPropertyName name, Bindable<?> target) {
		Class<?> type = target.getType().toClass();
		if (Map.class.isAssignableFrom(type)) {
			// Below the name of an informer, a map of objects consists of variables:
			// LEADER
			// is no map because of LEADER_ONLY.
			return name.getNumberOfElements() <= NAME_ELEMENTS || target.getType().resolveGeneric(1) != Object.class;
		}
		return type.getName().startsWith("dev.informer.spring.") && !type.isEnum();
	}

	private static @Nullable ConfigurationProperty find(ConfigurationPropertyName name, BindContext context) {
		for (ConfigurationPropertySource source : context.getSources()) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			if (property != null) {
				return property;
			}
		}
		return null;
	}

	private static boolean isEmpty(ConfigurationProperty property) {
		return property.getValue().toString().isEmpty();
	}

	private static boolean isAboveOther(ConfigurationPropertyName name, BindContext context) {
		for (ConfigurationPropertySource source : context.getSources()) {
			if (source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT) {
				return true;
			}
		}
		return false;
	}

}
