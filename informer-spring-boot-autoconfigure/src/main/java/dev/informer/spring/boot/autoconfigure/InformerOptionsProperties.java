/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;

import dev.informer.Encoding;
import dev.informer.InformerOptions;
import dev.informer.MutationDetection;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.PropertyMapper;

/**
 * Properties for the options of an informer, shared by the defaults and by each informer.
 * Options that are not set are left as they are.
 */
public abstract class InformerOptionsProperties {

	/**
	 * Maximum number of objects per page of a list.
	 */
	private @Nullable Integer pageSize;

	/**
	 * Minimum duration of a watch request. The actual one is random, up to twice as long.
	 */
	private @Nullable Duration watchTimeout;

	/**
	 * Maximum time without data on a watch before its connection is considered dead.
	 * Applies once the watch has received a bookmark.
	 */
	private @Nullable Duration watchIdleTimeout;

	/**
	 * Whether to read the initial state as the first events of a watch where the server
	 * supports it.
	 */
	private @Nullable Boolean streamingList;

	/**
	 * Whether to keep the managedFields of objects, which add about a tenth to their
	 * memory and a third to the responses.
	 */
	private @Nullable Boolean managedFields;

	/**
	 * Whether the cache can be read before it has synced for the first time.
	 */
	private @Nullable Boolean allowUnsyncedReads;

	/**
	 * Reaction to code that modifies the shared objects of the cache. Expensive, for
	 * tests.
	 */
	private @Nullable MutationDetection mutationDetection;

	/**
	 * Encoding of lists and watches to request.
	 */
	private @Nullable Encoding encoding;

	/**
	 * Backoff between failed attempts.
	 */
	@NestedConfigurationProperty
	private final BackoffProperties backoff = new BackoffProperties();

	public @Nullable Integer getPageSize() {
		return this.pageSize;
	}

	public void setPageSize(@Nullable Integer pageSize) {
		this.pageSize = pageSize;
	}

	public @Nullable Duration getWatchTimeout() {
		return this.watchTimeout;
	}

	public void setWatchTimeout(@Nullable Duration watchTimeout) {
		this.watchTimeout = watchTimeout;
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

	public @Nullable Encoding getEncoding() {
		return this.encoding;
	}

	public void setEncoding(@Nullable Encoding encoding) {
		this.encoding = encoding;
	}

	public BackoffProperties getBackoff() {
		return this.backoff;
	}

	/**
	 * Set the options that are set here.
	 * @param builder the builder of the options
	 */
	void applyTo(InformerOptions.Builder builder) {
		PropertyMapper map = PropertyMapper.get();
		map.from(this.pageSize).to(builder::pageSize);
		map.from(this.watchTimeout).to(builder::watchTimeout);
		map.from(this.watchIdleTimeout).to(builder::watchIdleTimeout);
		map.from(this.streamingList).to(builder::streamingList);
		map.from(this.managedFields).to(builder::managedFields);
		map.from(this.allowUnsyncedReads).to(builder::allowUnsyncedReads);
		map.from(this.mutationDetection).to(builder::mutationDetection);
		map.from(this.encoding).to(builder::encoding);
		builder.backoff(this.backoff.override(builder.build().backoff()));
	}

}
