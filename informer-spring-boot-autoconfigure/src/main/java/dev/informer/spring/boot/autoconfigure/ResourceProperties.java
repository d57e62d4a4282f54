/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.informer.InformerOptions;
import dev.informer.Lister;
import dev.informer.Shard.Key;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Properties of one informer.
 */
@ConfigurationPropertiesSource
public class ResourceProperties extends InformerOptionsProperties {

	/**
	 * Resource to watch: plural, plural and group such as deployments.apps, or plural,
	 * version and group. The name of the informer by default. Objects of a resource
	 * without a model class are DynamicKubernetesObjects.
	 */
	private @Nullable String resource;

	/**
	 * Class of the objects. A model of the official client or a class annotated with
	 * CustomResource determines the resource, which must not be set then. Any other
	 * KubernetesObject requires the resource.
	 */
	private @Nullable Class<?> type;

	/**
	 * Whether to watch only the metadata of the objects. The objects are
	 * PartialObjectMetadata.
	 */
	private boolean metadataOnly;

	/**
	 * Namespaces to watch. "@current" is the namespace of the connection. All namespaces
	 * by default.
	 */
	private List<String> namespaces = new ArrayList<>();

	/**
	 * Label selector of the namespaces to watch, in the syntax of kubectl -l. Namespaces
	 * join and leave while the application runs. Cannot be combined with namespaces.
	 */
	private @Nullable String namespaceSelector;

	/**
	 * Label selector of the objects, in the syntax of kubectl -l.
	 */
	private @Nullable String labelSelector;

	/**
	 * Field selector of the objects, in the syntax of kubectl --field-selector.
	 */
	private @Nullable String fieldSelector;

	/**
	 * Whether the startup of the application waits for this informer and fails without
	 * it.
	 */
	private boolean required = true;

	/**
	 * Built-in indices to enable: by label, by owner. None by default.
	 */
	private Set<BuiltInIndex> indices = EnumSet.noneOf(BuiltInIndex.class);

	private final Shard shard = new Shard();

	@NestedConfigurationProperty
	private final HandlerProperties handler = new HandlerProperties();

	public @Nullable String getResource() {
		return this.resource;
	}

	public void setResource(@Nullable String resource) {
		this.resource = resource;
	}

	public @Nullable Class<?> getType() {
		return this.type;
	}

	public void setType(@Nullable Class<?> type) {
		this.type = type;
	}

	public boolean isMetadataOnly() {
		return this.metadataOnly;
	}

	public void setMetadataOnly(boolean metadataOnly) {
		this.metadataOnly = metadataOnly;
	}

	public List<String> getNamespaces() {
		return this.namespaces;
	}

	public void setNamespaces(List<String> namespaces) {
		this.namespaces = namespaces;
	}

	public @Nullable String getNamespaceSelector() {
		return this.namespaceSelector;
	}

	public void setNamespaceSelector(@Nullable String namespaceSelector) {
		this.namespaceSelector = namespaceSelector;
	}

	public @Nullable String getLabelSelector() {
		return this.labelSelector;
	}

	public void setLabelSelector(@Nullable String labelSelector) {
		this.labelSelector = labelSelector;
	}

	public @Nullable String getFieldSelector() {
		return this.fieldSelector;
	}

	public void setFieldSelector(@Nullable String fieldSelector) {
		this.fieldSelector = fieldSelector;
	}

	public boolean isRequired() {
		return this.required;
	}

	public void setRequired(boolean required) {
		this.required = required;
	}

	public Set<BuiltInIndex> getIndices() {
		return this.indices;
	}

	public void setIndices(Set<BuiltInIndex> indices) {
		this.indices = indices;
	}

	public Shard getShard() {
		return this.shard;
	}

	public HandlerProperties getHandler() {
		return this.handler;
	}

	@Override
	void applyTo(InformerOptions.Builder builder) {
		super.applyTo(builder);
		builder.namespaceSelector(this.namespaceSelector)
			.labelSelector(this.labelSelector)
			.fieldSelector(this.fieldSelector);
	}

	/**
	 * Share of the objects that each replica caches.
	 */
	public static class Shard {

		/**
		 * Property of an object that divides the objects between the caches of the
		 * replicas. Requires informer.sharding.enabled. Every replica caches all objects
		 * by default.
		 */
		private @Nullable Key by;

		public @Nullable Key getBy() {
			return this.by;
		}

		public void setBy(@Nullable Key by) {
			this.by = by;
		}

	}

	/**
	 * Built-in indices.
	 */
	public enum BuiltInIndex {

		/** By the UIDs of the owners: {@link Lister#OWNER_INDEX}. */
		OWNER(Lister.OWNER_INDEX),

		/** By labels, each as {@code key=value}: {@link Lister#LABEL_INDEX}. */
		LABEL(Lister.LABEL_INDEX);

		private final String index;

		BuiltInIndex(String index) {
			this.index = index;
		}

		String index() {
			return this.index;
		}

	}

}
