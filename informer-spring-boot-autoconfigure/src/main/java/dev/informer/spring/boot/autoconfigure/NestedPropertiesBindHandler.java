/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;

/**
 * {@link BindHandler} that rejects a value in place of nested properties, such as
 * {@code informer.startup=30s}. The binder ignores it when another source has nested
 * properties. A YAML key without content, such as one whose nested properties are
 * comments, is permitted.
 */
final class NestedPropertiesBindHandler extends AbstractBindHandler {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("informer");

	NestedPropertiesBindHandler(BindHandler parent) {
		super(parent);
	}

	@Override
	public <T> @Nullable Bindable<T> onStart(ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
		ConfigurationProperty property = hasNestedProperties(target) ? find(name, context) : null;
		if (property == null || !PREFIX.isAncestorOf(name)) {
			return super.onStart(name, target, context);
		}
		if (!isEmpty(property)) {
			throw new UnboundConfigurationPropertiesException(Set.of(property));
		}
		Supplier<T> initial = target.getValue();
		if (initial == null) {
			// an element of a map, which exists without content too
			return super.onStart(name, target, context);
		}
		if (isAboveOther(name, context)) {
			throw new UnboundConfigurationPropertiesException(Set.of(property));
		}
		super.onSuccess(name, target, context, initial.get());
		return null;
	}

	private static boolean hasNestedProperties(Bindable<?> target) {
		Class<?> type = target.getType().toClass();
		return Map.class.isAssignableFrom(type)
				|| (type.getName().startsWith("dev.informer.spring.") && !type.isEnum());
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
