/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.informer.ChangedPart;
import dev.informer.QueuePolicy;
import dev.informer.ResourceEvent;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation for a method of a bean that handles events of a Kubernetes resource. The
 * parameter determines the resource: <pre class="code">
 * &#064;InformerHandler
 * void handle(ResourceEvent&lt;V1Pod&gt; event)           // all events
 *
 * &#064;InformerHandler
 * void handle(ResourceEvent.Deleted&lt;V1Pod&gt; event)   // one type of events
 *
 * &#064;InformerHandler
 * void handle(V1Pod pod)                            // added and updated objects
 *
 * &#064;InformerHandler
 * void handle(V1Pod previous, V1Pod current)        // updated objects
 * </pre> The resource is a model of the official client or a class annotated with
 * {@link dev.informer.client.CustomResource}. For a {@code DynamicKubernetesObject} or
 * {@link dev.informer.client.PartialObjectMetadata} it is the resource of the
 * {@link #informer()}.
 * <p>
 * The method returns {@code void} and is neither static nor private. It is invoked by one
 * thread at a time unless {@link #concurrency()} is set. Events of one object are
 * delivered one by one and in order. The objects are shared with the cache: do not modify
 * them. An invalid method fails the startup of the application, with the reason.
 * <p>
 * Methods of lazy and proxied beans, inherited methods and default methods of interfaces
 * are supported. A method that overrides another inherits its annotations unless it has
 * some. A lazy bean is created at the first event. A bean that is not a singleton is
 * looked up for each event, so that a prototype bean is created for each event. Beans of
 * the request and session scopes are rejected.
 * <p>
 * The annotation can be used as a meta-annotation, and several times on one method, with
 * a unique ID each. String attributes may contain <code>${...}</code> placeholders and
 * <code>#{...}</code> expressions. The properties {@code informer.handlers.<id>} override
 * the attributes. Attributes that are not set have the values of
 * {@code informer.resources.<name>.handler}, or else the defaults.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Repeatable(InformerHandlers.class)
public @interface InformerHandler {

	/**
	 * ID of the handler, unique in the application: its name in logs, metrics and health.
	 * It consists of letters, digits, {@code -}, {@code _} and {@code .}. The properties
	 * below {@code informer.handlers.<id>} apply to an ID of lowercase letters and digits
	 * that starts with a letter.
	 * <p>
	 * The name of the bean and the name of the method, separated by a dot, by default.
	 * @return the ID
	 */
	String id() default "";

	/**
	 * Name of the informer, one of those below {@code informer.resources}. By default,
	 * the informer that is injected for the type of the parameter, usually the one with
	 * the plural of the resource as its name: {@code pods}.
	 * @return the name of the informer
	 */
	String informer() default "";

	/**
	 * Types of events. By default, all types that the parameters accept; {@code ADDED}
	 * and {@code UPDATED} for a method that takes only the object. Such a method cannot
	 * combine {@code DELETED} with other types, because it could not distinguish them.
	 * @return the types of events
	 */
	ResourceEvent.Type[] on() default {};

	/**
	 * Period of resyncs, which deliver every object of the cache again, such as
	 * {@code 10m}; at least {@code 1s}, or {@code 0} for none. By default, the period of
	 * the properties of the informer or {@code informer.defaults.resync-period}.
	 * @return the period
	 */
	String resyncPeriod() default "";

	/**
	 * Policy for pending events, at most one. By default, the policy of the properties of
	 * the informer, or {@link QueuePolicy#COALESCE}.
	 * @return the policy
	 */
	QueuePolicy[] queue() default {};

	/**
	 * Parts of an object of which at least one must have changed for an update to be
	 * delivered. The last delivered state is compared with the current state. An update
	 * by which the deletion of an object with finalizers begins or proceeds is delivered
	 * in any case. By default, every update is delivered.
	 * @return the parts
	 */
	ChangedPart[] changes() default {};

	/**
	 * Name of a {@link java.util.function.Predicate} bean that selects the objects, or an
	 * expression for such a predicate. An object that begins to match is delivered as
	 * added, an object that ceases to match as deleted. By default, all objects are
	 * delivered.
	 * @return the name of the bean
	 */
	String filter() default "";

	/**
	 * Maximum number of concurrent invocations, for different objects. Invocations for
	 * one object never overlap. 1 by default.
	 * @return a number, at least 1
	 */
	String concurrency() default "";

	/**
	 * Whether only the leader of the replicas invokes the method. The other replicas keep
	 * the latest state of each object for it; a new leader is invoked for each object at
	 * least once. Requires {@code informer.leader.enabled} and
	 * {@link QueuePolicy#COALESCE}. {@code false} by default.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Name of the election whose leader invokes the method, one of those below
	 * {@code informer.leader.elections}. Implies {@link #leaderOnly()}. By default, the
	 * default election.
	 * @return the name of the election
	 */
	String leader() default "";

	/**
	 * Whether the objects are divided between the replicas: the method is invoked for an
	 * object by one replica at a time, the owner of its slot. Requires
	 * {@code informer.sharding.enabled} and {@link QueuePolicy#COALESCE}; excludes
	 * {@link #leaderOnly()}. Always the case if the informer is sharded, by
	 * {@code informer.resources.<name>.shard.by}.
	 * @return whether the objects are divided between the replicas
	 */
	boolean sharded() default false;

	/**
	 * Retries of an invocation that throws.
	 * @return the policy
	 */
	Retry retry() default @Retry;

	/**
	 * Name of a {@link dev.informer.HandlerErrorHandler} bean that is notified of
	 * invocations that throw, or an expression for an error handler. By default, the bean
	 * of that type for the type of the objects, or for
	 * {@link io.kubernetes.client.common.KubernetesObject}, if there is exactly one.
	 * @return the name of the bean
	 */
	String errorHandler() default "";

	/**
	 * Whether events are delivered as soon as the informer runs. A handler with
	 * {@code false} is paused until {@link dev.informer.HandlerRegistration#resume()}.
	 * {@code true} by default.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Retries of a handler method that throws. Attributes that are not set are as in
	 * {@link dev.informer.RetryPolicy#DEFAULT}.
	 */
	@Target({})
	@Retention(RetentionPolicy.RUNTIME)
	@interface Retry {

		/**
		 * Maximum number of retries of one event; 0 for none, -1 to retry until the
		 * method returns. 4 by default.
		 * @return a number, at least -1
		 */
		String maxRetries() default "";

		/**
		 * Delay before the first retry, such as {@code 500ms}. 800 ms by default.
		 * @return a duration
		 */
		String delay() default "";

		/**
		 * Multiplier applied to the delay after each failure. 2 by default.
		 * @return a number, at least 1
		 */
		String multiplier() default "";

		/**
		 * Maximum delay, before the jitter. 30 s by default.
		 * @return a duration
		 */
		String maxDelay() default "";

		/**
		 * Maximum random addition to the first delay, such as {@code 100ms}; it grows
		 * with the delay. 0 for none, 800 ms by default.
		 * @return a duration
		 */
		String jitter() default "";

	}

}
