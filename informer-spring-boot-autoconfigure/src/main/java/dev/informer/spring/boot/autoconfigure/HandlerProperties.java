/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;

import dev.informer.ChangedPart;
import dev.informer.HandlerOptions;
import dev.informer.QueuePolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.PropertyMapper;

/**
 * Properties for the options of a handler. Options that are not set are left as they are.
 */
@ConfigurationPropertiesSource
public class HandlerProperties {

	/**
	 * Period of resyncs, which deliver every object of the cache to the handler again. 0
	 * for none.
	 */
	private @Nullable Duration resyncPeriod;

	/**
	 * Policy for the pending events of the handler: only the difference between the last
	 * delivered and the current state of each object (coalesce, by default), or every
	 * event (keep-all).
	 */
	private @Nullable QueuePolicy queue;

	/**
	 * Parts of an object of which at least one must have changed for an update to be
	 * delivered. Every update is delivered by default.
	 */
	private @Nullable List<ChangedPart> changes;

	/**
	 * Maximum number of concurrent invocations, for different objects. 1 by default.
	 */
	private @Nullable Integer concurrency;

	/**
	 * Whether events are delivered as soon as the informer runs. Otherwise the handler is
	 * paused until the application resumes it. True by default.
	 */
	private @Nullable Boolean autoStartup;

	/**
	 * Whether only the leader of the replicas invokes the handler. Every replica by
	 * default.
	 */
	private @Nullable Boolean leaderOnly;

	/**
	 * Name of the election whose leader invokes the handler, one of those below
	 * informer.leader.elections. The default election by default.
	 */
	private @Nullable String leader;

	/**
	 * Whether to divide the objects between the replicas, so that one of them invokes the
	 * handler for an object. Every replica by default.
	 */
	private @Nullable Boolean sharded;

	/**
	 * Retries after an exception.
	 */
	@NestedConfigurationProperty
	private final RetryProperties retry = new RetryProperties();

	public @Nullable Duration getResyncPeriod() {
		return this.resyncPeriod;
	}

	public void setResyncPeriod(@Nullable Duration resyncPeriod) {
		this.resyncPeriod = resyncPeriod;
	}

	public @Nullable QueuePolicy getQueue() {
		return this.queue;
	}

	public void setQueue(@Nullable QueuePolicy queue) {
		this.queue = queue;
	}

	public @Nullable List<ChangedPart> getChanges() {
		return this.changes;
	}

	public void setChanges(@Nullable List<ChangedPart> changes) {
		this.changes = changes;
	}

	public @Nullable Integer getConcurrency() {
		return this.concurrency;
	}

	public void setConcurrency(@Nullable Integer concurrency) {
		this.concurrency = concurrency;
	}

	public @Nullable Boolean getAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(@Nullable Boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	public @Nullable Boolean getLeaderOnly() {
		return this.leaderOnly;
	}

	public void setLeaderOnly(@Nullable Boolean leaderOnly) {
		this.leaderOnly = leaderOnly;
	}

	public @Nullable String getLeader() {
		return this.leader;
	}

	public void setLeader(@Nullable String leader) {
		this.leader = leader;
	}

	public @Nullable Boolean getSharded() {
		return this.sharded;
	}

	public void setSharded(@Nullable Boolean sharded) {
		this.sharded = sharded;
	}

	public RetryProperties getRetry() {
		return this.retry;
	}

	/**
	 * Set the options that are set here.
	 * @param builder the builder of the options
	 */
	void applyTo(HandlerOptions.Builder<?> builder) {
		PropertyMapper map = PropertyMapper.get();
		map.from(this.resyncPeriod).to(builder::resyncPeriod);
		map.from(this.queue).to(builder::queue);
		map.from(this.changes).as((parts) -> parts.toArray(ChangedPart[]::new)).to(builder::changes);
		map.from(this.concurrency).to(builder::concurrency);
		map.from(this.autoStartup).as((start) -> !start).to(builder::paused);
		builder.retry(this.retry.override(builder.build().retry()));
	}

}
