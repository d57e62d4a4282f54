/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.informer.Lister;
import dev.informer.MutationDetection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * One informer.
 */
@ConfigurationPropertiesSource
public class ResourceProperties {

	/**
	 * Resource to look at: plural, or plural and group such as deployments.apps, or
	 * plural, version and group. By default the name of the informer. Objects of a
	 * resource that nobody has a class of are DynamicKubernetesObjects.
	 */
	private @Nullable String resource;

	/**
	 * Class of the objects: a model of the official client or a class annotated with
	 * CustomResource, in place of the resource, or any other KubernetesObject of the
	 * resource.
	 */
	private @Nullable Class<?> type;

	/**
	 * Whether the metadata of the objects is enough. The server sends nothing else, and
	 * the objects are PartialObjectMetadata.
	 */
	private boolean metadataOnly = false;

	/**
	 * Namespaces to look at. "@current" is the one of the connection. All when left out.
	 */
	private List<String> namespaces = new ArrayList<>();

	/**
	 * Which labels the objects must have, as kubectl -l takes it.
	 */
	private @Nullable String labelSelector;

	/**
	 * Which fields the objects must have, as kubectl --field-selector takes it.
	 */
	private @Nullable String fieldSelector;

	/**
	 * Whether the start of the application waits for this informer and fails without it.
	 */
	private boolean required = true;

	/**
	 * How many objects a page of a list may have, in place of the default.
	 */
	private @Nullable Integer pageSize;

	/**
	 * When the server shall end a watch at the earliest, in place of the default.
	 */
	private @Nullable Duration watchTimeout;

	/**
	 * How long a watch may be silent before its connection counts as dead, once it is
	 * known to get bookmarks. As informer.defaults says when not given.
	 */
	private @Nullable Duration watchIdleTimeout;

	/**
	 * Whether to read the state as the first events of a watch where the server can do
	 * that. As informer.defaults says when not given.
	 */
	private @Nullable Boolean streamingList;

	/**
	 * Whether objects have their managedFields. As informer.defaults says when not given.
	 */
	private @Nullable Boolean managedFields;

	/**
	 * Whether the local copy can be read before it is complete for the first time. As
	 * informer.defaults says when not given.
	 */
	private @Nullable Boolean allowUnsyncedReads;

	/**
	 * What to do about code that changes the shared objects of the local copy. As
	 * informer.defaults says when not given.
	 */
	private @Nullable MutationDetection mutationDetection;

	/**
	 * Built-in indices to switch on: by label, by owner. None by default.
	 */
	private Set<BuiltInIndex> indices = EnumSet.noneOf(BuiltInIndex.class);

	private final Backoff backoff = new Backoff();

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

	public @Nullable Integer getPageSize() {
		return this.pageSize;
	}

	public void setPageSize(@Nullable Integer pageSize) {
		this.pageSize = pageSize;
	}

	public @Nullable Duration getWatchIdleTimeout() {
		return this.watchIdleTimeout;
	}

	public void setWatchIdleTimeout(@Nullable Duration watchIdleTimeout) {
		this.watchIdleTimeout = watchIdleTimeout;
	}

	public @Nullable Boolean getStreamingList() {
		return this.streamingList;
	}

	public void setStreamingList(@Nullable Boolean streamingList) {
		this.streamingList = streamingList;
	}

	public @Nullable Duration getWatchTimeout() {
		return this.watchTimeout;
	}

	public void setWatchTimeout(@Nullable Duration watchTimeout) {
		this.watchTimeout = watchTimeout;
	}

	public @Nullable Boolean getManagedFields() {
		return this.managedFields;
	}

	public void setManagedFields(@Nullable Boolean managedFields) {
		this.managedFields = managedFields;
	}

	public @Nullable Boolean getAllowUnsyncedReads() {
		return this.allowUnsyncedReads;
	}

	public void setAllowUnsyncedReads(@Nullable Boolean allowUnsyncedReads) {
		this.allowUnsyncedReads = allowUnsyncedReads;
	}

	public @Nullable MutationDetection getMutationDetection() {
		return this.mutationDetection;
	}

	public void setMutationDetection(@Nullable MutationDetection mutationDetection) {
		this.mutationDetection = mutationDetection;
	}

	public Set<BuiltInIndex> getIndices() {
		return this.indices;
	}

	public void setIndices(Set<BuiltInIndex> indices) {
		this.indices = indices;
	}

	public Backoff getBackoff() {
		return this.backoff;
	}

	public HandlerProperties getHandler() {
		return this.handler;
	}

	/**
	 * How long one informer waits between attempts that fail.
	 */
	public static class Backoff {

		/**
		 * First delay, in place of the default.
		 */
		private @Nullable Duration initial;

		/**
		 * Longest delay, before the jitter, in place of the default.
		 */
		private @Nullable Duration max;

		/**
		 * By how much a delay is longer than the one before, in place of the default.
		 */
		private @Nullable Double factor;

		/**
		 * Largest random share of the delay on top of it, in place of the default.
		 */
		private @Nullable Double jitter;

		/**
		 * How long there must be no failure before the next one waits the first delay
		 * again, in place of the default.
		 */
		private @Nullable Duration resetAfter;

		public @Nullable Duration getInitial() {
			return this.initial;
		}

		public void setInitial(@Nullable Duration initial) {
			this.initial = initial;
		}

		public @Nullable Duration getMax() {
			return this.max;
		}

		public void setMax(@Nullable Duration max) {
			this.max = max;
		}

		public @Nullable Double getFactor() {
			return this.factor;
		}

		public void setFactor(@Nullable Double factor) {
			this.factor = factor;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
		}

		public @Nullable Duration getResetAfter() {
			return this.resetAfter;
		}

		public void setResetAfter(@Nullable Duration resetAfter) {
			this.resetAfter = resetAfter;
		}

	}

	/**
	 * An index that every informer can have.
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
