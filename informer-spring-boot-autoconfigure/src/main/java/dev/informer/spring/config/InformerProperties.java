/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.io.File;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.informer.BackoffPolicy;
import dev.informer.ChangedPart;
import dev.informer.Encoding;
import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;
import dev.informer.Lister;
import dev.informer.MutationDetection;
import dev.informer.QueuePolicy;
import dev.informer.RetryPolicy;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.shard.SlotKey;
import dev.informer.writer.ObjectWrite;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties of the informers. Unknown keys are rejected. Options that are {@code null}
 * are left as they are.
 *
 * @param autoStartup Whether to start the informers with the application. Otherwise, all
 * beans exist, but no server is contacted until the InformerRegistry is started.
 * @param observationEnabled Whether to observe the invocations of handlers, the calls of
 * reconcilers and the writes, for traces and their timers. Events of the initial list are
 * not observed.
 * @param startup the startup of the application
 * @param defaults the defaults for all informers, handlers and reconcilers
 * @param resources Informers by name. The plural of a resource configures its default
 * informer; any other name declares an additional one.
 * @param handlers Handlers by ID. These properties override the attributes of the
 * annotation.
 * @param reconcilers Reconcilers by ID. These properties override the attributes of the
 * annotation.
 * @param connection the connection to the API server
 * @param health the health of the informers
 * @param leader the leader elections
 * @param sharding the division of objects between the replicas
 * @param writer the writes of the application
 */
@ConfigurationProperties(prefix = "informer", ignoreUnknownFields = false)
public record InformerProperties(@DefaultValue("true") boolean autoStartup, boolean observationEnabled,
		@DefaultValue Startup startup, @DefaultValue Defaults defaults, @DefaultValue Map<String, Resource> resources,
		@DefaultValue Map<String, Handler> handlers, @DefaultValue Map<String, Reconciler> reconcilers,
		@DefaultValue Connection connection, @DefaultValue Health health, @DefaultValue Leader leader,
		@DefaultValue Sharding sharding, @DefaultValue Writer writer) {

	/**
	 * Startup of the application.
	 *
	 * @param timeout Maximum time to create the API client, with its credentials plugin,
	 * and to wait for all required informers together.
	 * @param onTimeout Reaction when required informers have not synced in time.
	 * @param deliverAfterSync Whether to deliver events to handlers only after all
	 * required informers have synced, or after the timeout.
	 * @param awaitHandlers Whether startup also waits until handlers have handled the
	 * objects of the initial list, within the same timeout. For applications that answer
	 * requests from what their handlers collect. Handlers that are paused, leader-only or
	 * sharded are not waited for.
	 */
	public record Startup(@DefaultValue("30s") Duration timeout, @DefaultValue("fail") OnTimeout onTimeout,
			@DefaultValue("true") boolean deliverAfterSync, boolean awaitHandlers) {
	}

	/**
	 * Reactions when required informers have not synced in time.
	 */
	public enum OnTimeout {

		/** The application fails to start. */
		FAIL,

		/** Startup continues after a warning that names the informers and the reasons. */
		WARN,

		/** Startup continues without a warning. */
		IGNORE

	}

	/**
	 * Defaults for all informers, handlers and reconcilers.
	 *
	 * @param resyncPeriod Period of resyncs, which deliver every object of the cache to
	 * the handlers again. 0 for none.
	 * @param maxSelectedNamespaces Maximum number of namespaces that a namespace-selector
	 * may select. Others are not watched, and the informer is failing as long as there
	 * are some. Each namespace takes a list, a watch and a thread.
	 * @param maxSize Maximum size of all objects as they are received. A list or a watch
	 * that exceeds it ends, and the informer is failing until the objects are within the
	 * limit. 0 for no limit.
	 * @param pageSize Maximum number of objects per page of a list.
	 * @param watch Whether to watch. Without a watch, the informer lists again after each
	 * poll-interval. For resources that the server lists and does not watch.
	 * @param watchTimeout Minimum duration of a watch request. The actual one is random,
	 * up to twice as long.
	 * @param watchIdleTimeout Maximum time without data on a watch before its connection
	 * is considered dead. Applies once the watch has received a bookmark.
	 * @param streamingList Whether to read the initial state as the first events of a
	 * watch where the server supports it.
	 * @param pollInterval Time between two lists without a watch, to which a random tenth
	 * is added. At least 1s.
	 * @param managedFields Whether to keep the managedFields of objects, which add about
	 * a tenth to their memory and a third to the responses.
	 * @param shareValues Whether objects share equal parts, which saves memory and time.
	 * An informer with a transform shares none.
	 * @param allowUnsyncedReads Whether the cache can be read before it has synced for
	 * the first time.
	 * @param mutationDetection Reaction to code that modifies the shared objects of the
	 * cache. Expensive, for tests.
	 * @param encoding Encoding of lists and watches to request.
	 * @param backoff the backoff between failed attempts
	 * @param reconciler the reconcilers
	 */
	public record Defaults(@DefaultValue("0") Duration resyncPeriod, @Nullable Integer maxSelectedNamespaces,
			@Nullable DataSize maxSize, @Nullable Integer pageSize, @Nullable Duration watchTimeout,
			@Nullable Duration watchIdleTimeout, @Nullable Boolean streamingList, @Nullable Boolean watch,
			@Nullable Duration pollInterval, @Nullable Boolean managedFields, @Nullable Boolean shareValues,
			@Nullable Boolean allowUnsyncedReads, @Nullable MutationDetection mutationDetection,
			@Nullable Encoding encoding, @DefaultValue Backoff backoff, @DefaultValue Reconciler reconciler) {

		void applyTo(InformerOptions.Builder builder) {
			PropertyMapper map = PropertyMapper.get();
			map.from(this.maxSelectedNamespaces).to(builder::maxSelectedNamespaces);
			map.from(this.maxSize).as(DataSize::toBytes).to(builder::maxSize);
			map.from(this.pageSize).to(builder::pageSize);
			map.from(this.watchTimeout).to(builder::watchTimeout);
			map.from(this.watchIdleTimeout).to(builder::watchIdleTimeout);
			map.from(this.streamingList).to(builder::streamingList);
			map.from(this.watch).to(builder::watch);
			map.from(this.pollInterval).to(builder::pollInterval);
			map.from(this.managedFields).to(builder::managedFields);
			map.from(this.shareValues).to(builder::shareValues);
			map.from(this.allowUnsyncedReads).to(builder::allowUnsyncedReads);
			map.from(this.mutationDetection).to(builder::mutationDetection);
			map.from(this.encoding).to(builder::encoding);
			builder.backoff(this.backoff.override(builder.build().backoff()));
		}

	}

	/**
	 * Informer.
	 *
	 * @param resource Resource to watch: plural, plural and group such as
	 * deployments.apps, or plural, version and group. The name of the informer by
	 * default. Objects of a resource without a model class are DynamicKubernetesObjects.
	 * @param type Class of the objects. A model of the official client or a class
	 * annotated with CustomResource determines the resource, which must not be set then.
	 * Any other KubernetesObject requires the resource.
	 * @param metadataOnly Whether to watch only the metadata of the objects. The objects
	 * are PartialObjectMetadata.
	 * @param namespaces Namespaces to watch. "@current" is the namespace of the
	 * connection. All namespaces by default.
	 * @param namespaceSelector Label selector of the namespaces to watch, in the syntax
	 * of kubectl -l. Namespaces join and leave while the application runs. Cannot be
	 * combined with namespaces.
	 * @param labelSelector Label selector of the objects, in the syntax of kubectl -l.
	 * @param fieldSelector Field selector of the objects, in the syntax of kubectl
	 * --field-selector.
	 * @param required Whether the startup of the application waits for this informer and
	 * fails without it.
	 * @param indices Built-in indices to enable: by label, by owner. None by default.
	 * @param shard the share of the objects that each replica caches
	 * @param handler the handlers of the informer
	 * @param maxSelectedNamespaces Maximum number of namespaces that a namespace-selector
	 * may select. Others are not watched, and the informer is failing as long as there
	 * are some. Each namespace takes a list, a watch and a thread.
	 * @param maxSize Maximum size of all objects as they are received. A list or a watch
	 * that exceeds it ends, and the informer is failing until the objects are within the
	 * limit. 0 for no limit.
	 * @param pageSize Maximum number of objects per page of a list.
	 * @param watch Whether to watch. Without a watch, the informer lists again after each
	 * poll-interval. For resources that the server lists and does not watch.
	 * @param watchTimeout Minimum duration of a watch request. The actual one is random,
	 * up to twice as long.
	 * @param watchIdleTimeout Maximum time without data on a watch before its connection
	 * is considered dead. Applies once the watch has received a bookmark.
	 * @param streamingList Whether to read the initial state as the first events of a
	 * watch where the server supports it.
	 * @param pollInterval Time between two lists without a watch, to which a random tenth
	 * is added. At least 1s.
	 * @param managedFields Whether to keep the managedFields of objects, which add about
	 * a tenth to their memory and a third to the responses.
	 * @param shareValues Whether objects share equal parts, which saves memory and time.
	 * An informer with a transform shares none.
	 * @param allowUnsyncedReads Whether the cache can be read before it has synced for
	 * the first time.
	 * @param mutationDetection Reaction to code that modifies the shared objects of the
	 * cache. Expensive, for tests.
	 * @param encoding Encoding of lists and watches to request.
	 * @param backoff the backoff between failed attempts
	 */
	@ConfigurationPropertiesSource
	public record Resource(@Nullable String resource, @Nullable Class<?> type, boolean metadataOnly,
			@DefaultValue List<String> namespaces, @Nullable String namespaceSelector, @Nullable String labelSelector,
			@Nullable String fieldSelector, @DefaultValue("true") boolean required,
			@DefaultValue Set<BuiltInIndex> indices, @DefaultValue Shard shard, @DefaultValue Handler handler,
			@Nullable Integer maxSelectedNamespaces, @Nullable DataSize maxSize, @Nullable Integer pageSize,
			@Nullable Duration watchTimeout, @Nullable Duration watchIdleTimeout, @Nullable Boolean streamingList,
			@Nullable Boolean watch, @Nullable Duration pollInterval, @Nullable Boolean managedFields,
			@Nullable Boolean shareValues, @Nullable Boolean allowUnsyncedReads,
			@Nullable MutationDetection mutationDetection, @Nullable Encoding encoding, @DefaultValue Backoff backoff) {

		void applyTo(InformerOptions.Builder builder) {
			new Defaults(Duration.ZERO, this.maxSelectedNamespaces, this.maxSize, this.pageSize, this.watchTimeout,
					this.watchIdleTimeout, this.streamingList, this.watch, this.pollInterval, this.managedFields,
					this.shareValues, this.allowUnsyncedReads, this.mutationDetection, this.encoding, this.backoff,
					Reconciler.NONE)
				.applyTo(builder);
			builder.namespaceSelector(this.namespaceSelector)
				.labelSelector(this.labelSelector)
				.fieldSelector(this.fieldSelector);
		}

	}

	/**
	 * Properties of an informer that determine its resource, {@code null} where not set.
	 * They are read before any bean exists, and the others only with all converters.
	 */
	public record DeclaredResource(@Nullable String resource, @Nullable Class<?> type, boolean metadataOnly) {

		/**
		 * No such property, so that the name of the informer determines its resource.
		 */
		public static final DeclaredResource NONE = new DeclaredResource(null, null, false);

	}

	/**
	 * Share of the objects that each replica caches.
	 *
	 * @param by Property of an object that divides the objects between the caches of the
	 * replicas. Requires informer.sharding.enabled. Every replica caches all objects by
	 * default.
	 */
	public record Shard(dev.informer.replicas.Shard.@Nullable Key by) {
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

	/**
	 * Handler.
	 *
	 * @param resyncPeriod Period of resyncs, which deliver every object of the cache to
	 * the handler again. 0 for none.
	 * @param queue Policy for the pending events of the handler: only the difference
	 * between the last delivered and the current state of each object (coalesce, by
	 * default), or every event (keep-all).
	 * @param changes Parts of an object of which at least one must have changed for an
	 * update to be delivered. Every update is delivered by default.
	 * @param concurrency Maximum number of concurrent invocations, for different objects.
	 * 1 by default.
	 * @param autoStartup Whether events are delivered as soon as the informer runs.
	 * Otherwise the handler is paused until the application resumes it. True by default.
	 * @param leader Name of the election whose leader invokes the handler, one of those
	 * below informer.leader.elections. The default election by default.
	 * @param leaderOnly Whether only the leader of the replicas invokes the handler.
	 * Every replica by default.
	 * @param sharded Whether to divide the objects between the replicas, so that one of
	 * them invokes the handler for an object. Every replica by default.
	 * @param retry the retries after an exception
	 */
	@ConfigurationPropertiesSource
	public record Handler(@Nullable Duration resyncPeriod, @Nullable QueuePolicy queue,
			@Nullable List<ChangedPart> changes, @Nullable Integer concurrency, @Nullable Boolean autoStartup,
			@Nullable String leader, @Nullable Boolean leaderOnly, @Nullable Boolean sharded,
			@DefaultValue Retry retry) implements ReplicaChoice {

		static final Handler NONE = new Handler(null, null, null, null, null, null, null, null, Retry.NONE);

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

	/**
	 * Reconciler.
	 *
	 * @param concurrency Maximum number of concurrent calls, for different objects. 4 by
	 * default.
	 * @param minInterval Minimum time between the beginnings of two calls for one object.
	 * 0 for none, 100ms by default.
	 * @param timeout Time after which a call is interrupted, which counts as its failure.
	 * 0, the default, for none.
	 * @param autoStartup Whether calls begin as soon as all informers have synced.
	 * Otherwise the reconciler is paused until the application resumes it. True by
	 * default.
	 * @param leader Name of the election whose leader calls the reconciler, one of those
	 * below informer.leader.elections. The default election by default.
	 * @param leaderOnly Whether only the leader of the replicas calls the reconciler. By
	 * default if informer.leader.enabled is set and the reconciler is not sharded.
	 * @param sharded Whether to divide the primary objects between the replicas, so that
	 * one of them calls the reconciler for an object.
	 * @param cleanupUnselected Whether the cleanup is called for an object that the
	 * informer does not select any more. Otherwise only its finalizer is removed. True by
	 * default.
	 * @param adoption Whether applies for the primary object take objects that exist
	 * without a controller. False by default.
	 * @param conflictExceptions Classes of exceptions, with their subclasses, that are
	 * conflicts: the call is repeated without a failure, also if another exception has
	 * one as its cause. None by default, apart from a 409 of a write.
	 * @param retry the retries after an exception
	 */
	@ConfigurationPropertiesSource
	public record Reconciler(@Nullable Integer concurrency, @Nullable Duration minInterval, @Nullable Duration timeout,
			@Nullable Boolean autoStartup, @Nullable String leader, @Nullable Boolean leaderOnly,
			@Nullable Boolean sharded, @Nullable Boolean cleanupUnselected, @Nullable Boolean adoption,
			@Nullable Set<Class<? extends Throwable>> conflictExceptions,
			@DefaultValue Retry retry) implements ReplicaChoice {

		static final Reconciler NONE = new Reconciler(null, null, null, null, null, null, null, null, null, null,
				Retry.NONE);

		void applyTo(ReconcilerOptions.Builder<?> builder) {
			PropertyMapper map = PropertyMapper.get();
			map.from(this.concurrency).to(builder::concurrency);
			map.from(this.minInterval).to(builder::minInterval);
			map.from(this.timeout).to(builder::timeout);
			map.from(this.autoStartup).as((start) -> !start).to(builder::paused);
			map.from(this.cleanupUnselected).to(builder::cleanupUnselected);
			map.from(this.conflictExceptions).to(builder::conflictExceptions);
			map.from(this.adoption).to(builder::adoption);
			builder.retry(this.retry.override(builder.build().retry()));
		}

	}

	/**
	 * Choice of the replicas that invoke a handler or a reconciler.
	 */
	interface ReplicaChoice {

		@Nullable String leader();

		@Nullable Boolean leaderOnly();

		@Nullable Boolean sharded();

	}

	/**
	 * Backoff between failed attempts of an informer.
	 *
	 * @param delay Delay after the first failure. 800ms by default.
	 * @param multiplier Multiplier applied to the delay after each failure. At least 1, 2
	 * by default.
	 * @param maxDelay Maximum delay, without the jitter. 30s by default.
	 * @param jitter Maximum random time that is added to the first delay. Grows with the
	 * delay. 0 for none, 800ms by default.
	 * @param resetAfter Time without failures after which the next failure waits for the
	 * first delay again.
	 */
	public record Backoff(@Nullable Duration delay, @Nullable Double multiplier, @Nullable Duration maxDelay,
			@Nullable Duration jitter, @Nullable Duration resetAfter) {

		/**
		 * Override the values of a policy that are set.
		 * @throws IllegalArgumentException if the values are invalid together
		 */
		BackoffPolicy override(BackoffPolicy policy) {
			Duration newDelay = Objects.requireNonNullElse(this.delay, policy.delay());
			return new BackoffPolicy(newDelay, Objects.requireNonNullElse(this.multiplier, policy.multiplier()),
					Objects.requireNonNullElse(this.maxDelay, policy.maxDelay()),
					(this.jitter != null) ? this.jitter : scale(policy.jitter(), policy.delay(), newDelay),
					Objects.requireNonNullElse(this.resetAfter, policy.resetAfter()));
		}

		/**
		 * Return the jitter that has the same ratio to a new delay.
		 */
		private static Duration scale(Duration jitter, Duration delay, Duration newDelay) {
			if (delay.isZero() || newDelay.isNegative()) {
				return jitter;
			}
			double ratio = (double) TimeSource.nanos(newDelay) / TimeSource.nanos(delay);
			return Duration.ofNanos((long) (TimeSource.nanos(jitter) * ratio));
		}

	}

	/**
	 * Retries of a handler or a reconciler that throws.
	 *
	 * @param maxRetries Maximum number of retries of one event or call. 0 for none, -1
	 * for no limit. 4 by default, without a limit for reconcilers.
	 * @param delay Delay after the first failure. 800ms by default, 500ms for
	 * reconcilers.
	 * @param multiplier Multiplier applied to the delay after each failure. At least 1, 2
	 * by default.
	 * @param maxDelay Maximum delay, without the jitter. 30s by default, 5m for
	 * reconcilers.
	 * @param jitter Maximum random time that is added to the first delay. Grows with the
	 * delay. 0 for none, 800ms by default, 500ms for reconcilers.
	 */
	public record Retry(@Nullable Integer maxRetries, @Nullable Duration delay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Duration jitter) {

		static final Retry NONE = new Retry(null, null, null, null, null);

		/**
		 * Override the values of a policy that are set.
		 * @throws IllegalArgumentException if the values are invalid together
		 */
		RetryPolicy override(RetryPolicy policy) {
			Duration newDelay = Objects.requireNonNullElse(this.delay, policy.delay());
			return new RetryPolicy(Objects.requireNonNullElse(this.maxRetries, policy.maxRetries()), newDelay,
					Objects.requireNonNullElse(this.multiplier, policy.multiplier()),
					Objects.requireNonNullElse(this.maxDelay, policy.maxDelay()),
					(this.jitter != null) ? this.jitter : Backoff.scale(policy.jitter(), policy.delay(), newDelay));
		}

	}

	/**
	 * Connection to the API server. By default, the kubeconfig of the environment or the
	 * cluster that the application runs in.
	 *
	 * @param kubeconfig Kubeconfig file. $KUBECONFIG or ~/.kube/config by default.
	 * @param context Context of the kubeconfig. Its current context by default.
	 * @param url URL of the API server. Replaces the kubeconfig.
	 * @param caCertificate CA certificate of the server at the URL, as a file or as PEM
	 * content.
	 * @param proxy URL of the proxy to the API server, with the scheme http or socks5,
	 * for http with user and password if required. That of the kubeconfig or of the JVM
	 * by default.
	 * @param token Bearer token for the server at the URL.
	 * @param tokenFile File with the bearer token for the server at the URL. Read again
	 * when it has changed.
	 * @param namespace Namespace for "@current" and for Leases. By default the namespace
	 * of the kubeconfig's context or of the service account, with a URL the namespace
	 * "default".
	 * @param verifyTls Whether to verify the certificate of the server at the URL. True
	 * by default.
	 * @param ssl the TLS of the connection
	 */
	public record Connection(@Nullable File kubeconfig, @Nullable String context, @Nullable String url,
			@Nullable String caCertificate, @Nullable String proxy, @Nullable String token, @Nullable File tokenFile,
			@Nullable String namespace, @Nullable Boolean verifyTls, @DefaultValue Ssl ssl) {

		/**
		 * Return the kind of the connection, without secrets.
		 */
		@Override
		public String toString() {
			return "Connection[kubeconfig=" + this.kubeconfig + ", context=" + this.context + "]";
		}

	}

	/**
	 * TLS of the connection.
	 *
	 * @param bundle SSL bundle with the trusted certificates and the client certificate
	 * for the server at the URL. Changes of a bundle that is reloaded on update are
	 * applied without a restart.
	 */
	public record Ssl(@Nullable String bundle) {
	}

	/**
	 * Health of the informers.
	 *
	 * @param failingThreshold Maximum time that an informer may be failing before its
	 * health is DOWN and an InformerStaleEvent is published.
	 * @param stuckHandlerThreshold Maximum time that an invocation of a handler may take
	 * before the health of its informer is DOWN, and a call of a reconciler before its
	 * health is DOWN. Unlimited by default.
	 */
	public record Health(@DefaultValue("1m") Duration failingThreshold, @Nullable Duration stuckHandlerThreshold) {
	}

	/**
	 * Default election, and the defaults of the others.
	 *
	 * @param enabled Whether to elect a leader among the replicas of the application.
	 * @param leaseName Name of the Lease. The name of the application by default.
	 * @param leaseNamespace Namespace of the Lease. The namespace of the connection by
	 * default.
	 * @param leaseDuration Time after which another replica takes over a Lease that was
	 * not renewed.
	 * @param renewDeadline Time after its last renewal at which a leader gives up.
	 * Shorter than the lease duration.
	 * @param retryPeriod Time between renewals, and before a failed request is repeated.
	 * @param elections Further elections by name.
	 */
	public record Leader(boolean enabled, @Nullable String leaseName, @Nullable String leaseNamespace,
			@DefaultValue("15s") Duration leaseDuration, @DefaultValue("10s") Duration renewDeadline,
			@DefaultValue("2s") Duration retryPeriod, @DefaultValue Map<String, Election> elections) {
	}

	/**
	 * Further election.
	 *
	 * @param leaseName Name of the Lease. The name of the application by default,
	 * followed by the name of the election.
	 * @param leaseNamespace Namespace of the Lease. The namespace of the connection by
	 * default.
	 * @param leaseDuration Time after which another replica takes over a Lease that was
	 * not renewed. 15s by default.
	 * @param renewDeadline Time after its last renewal at which a leader gives up.
	 * Shorter than the lease duration. 10s by default.
	 * @param retryPeriod Time between renewals, and before a failed request is repeated.
	 * 2s by default.
	 */
	@ConfigurationPropertiesSource
	public record Election(@Nullable String leaseName, @Nullable String leaseNamespace,
			@Nullable Duration leaseDuration, @Nullable Duration renewDeadline, @Nullable Duration retryPeriod) {
	}

	/**
	 * Division of objects between the replicas of the application.
	 *
	 * @param enabled Whether to divide the objects of sharded handlers and informers
	 * between the replicas of the application.
	 * @param group Name of the group of replicas, with which the names of its Leases
	 * begin. The name of the application by default.
	 * @param leaseNamespace Namespace of the Leases. The namespace of the connection by
	 * default.
	 * @param identity Identity of this replica, unique for each process, of at most 500
	 * characters. The host name and a random part by default.
	 * @param slots Number of slots, the parts in which objects move between replicas. A
	 * power of two between 2 and 4096.
	 * @param by Part of the name of an object that its slot follows from, the same on all
	 * replicas. Sharded informers and their handlers have their own property instead,
	 * shard.by.
	 * @param leaseDuration Time after which other replicas take over the slots of a
	 * replica that has not renewed its membership.
	 * @param renewDeadline Time after its last renewal at which a replica gives up its
	 * slots. Shorter than the lease duration.
	 * @param retryPeriod Time between renewals, and before a failed request is repeated.
	 */
	public record Sharding(boolean enabled, @Nullable String group, @Nullable String leaseNamespace,
			@Nullable String identity, @DefaultValue("64") int slots, @DefaultValue("object") SlotKey by,
			@DefaultValue("15s") Duration leaseDuration, @DefaultValue("10s") Duration renewDeadline,
			@DefaultValue("2s") Duration retryPeriod) {
	}

	/**
	 * Writes of the application.
	 *
	 * @param fieldManager Name of the field manager of the writes, of 1 to 128 printable
	 * characters. The name of the application by default.
	 * @param writes Writes by name, for the rights of the application. The plural of a
	 * resource declares writes of it; with any other name, set its resource or type.
	 */
	public record Writer(@Nullable String fieldManager, @DefaultValue Map<String, Write> writes) {
	}

	/**
	 * Writes of the objects of a resource.
	 *
	 * @param resource Resource to write: plural, plural and group such as
	 * deployments.apps, or plural, version and group. The name of the entry by default.
	 * @param type Class of the objects that determines the resource, which must not be
	 * set then.
	 * @param operations Operations of the ObjectWriter, at least one.
	 * @param namespaces Namespaces of the objects. "@current" is the namespace of the
	 * connection. All namespaces by default.
	 * @param withOwner Whether objects are applied with an owner. The writer then lists
	 * one that exists, to see whose it is.
	 */
	@ConfigurationPropertiesSource
	public record Write(@Nullable String resource, @Nullable Class<?> type,
			@DefaultValue Set<ObjectWrite.Operation> operations, @DefaultValue List<String> namespaces,
			boolean withOwner) {
	}

}
