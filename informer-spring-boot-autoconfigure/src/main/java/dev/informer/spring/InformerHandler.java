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
 * Marks a method of a bean to be called when objects of a Kubernetes resource change.
 * Which resource follows from the parameter: <pre class="code">
 * &#064;InformerHandler
 * void handle(ResourceEvent&lt;V1Pod&gt; event)           // everything
 *
 * &#064;InformerHandler
 * void handle(ResourceEvent.Deleted&lt;V1Pod&gt; event)   // one kind of events
 *
 * &#064;InformerHandler
 * void handle(V1Pod pod)                            // what is added or updated
 *
 * &#064;InformerHandler
 * void handle(V1Pod previous, V1Pod current)        // what is updated
 * </pre> The resource is a model of the official client or a class annotated with
 * {@link dev.informer.CustomResource}. For a {@code DynamicKubernetesObject} or
 * {@link dev.informer.PartialObjectMetadata} it is that of the {@link #informer()}.
 * <p>
 * A method returns nothing, is neither static nor private, and is called by one thread at
 * a time unless {@link #concurrency()} says otherwise; the events of one object always
 * come one by one and in their order. The objects are shared with the local copy and must
 * not be changed. A method that cannot work stops the start of the application, with the
 * reason.
 * <p>
 * Methods of lazy and proxied beans work, as do inherited methods and the default methods
 * of interfaces; one that overrides another has its annotations unless it has its own. A
 * lazy bean is created at the first event. Of a bean that is no singleton each event is
 * handled by the one that its scope gives then: of the prototype scope always by a new
 * one. Scopes of web requests and sessions are refused.
 * <p>
 * The annotation can be put on another annotation, and several times on one method, each
 * with an id of its own. Attributes that are strings may contain <code>${...}</code>
 * placeholders and <code>#{...}</code> expressions. What is not given here is taken from
 * the properties of the informer, {@code informer.resources.<name>.handler}, and else is
 * the default; what {@code informer.handlers.<id>} says goes before what is given here.
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
@Repeatable(InformerHandlers.class)
public @interface InformerHandler {

	/**
	 * The id of the handler, unique in the application: its name in logs, metrics and
	 * health. When it consists of small letters and digits, starting with a letter, the
	 * properties below {@code informer.handlers.<id>} apply to it.
	 * <p>
	 * By default the name of the bean and the name of the method, with a dot in between.
	 * @return the id
	 */
	String id() default "";

	/**
	 * The name of the informer to listen to, one of those below
	 * {@code informer.resources}. By default the one that is injected for the type of the
	 * parameter, usually the one that is named like the resource: {@code pods}.
	 * @return the name of the informer
	 */
	String informer() default "";

	/**
	 * The kinds of events to be called for. By default all that the parameters can take;
	 * for a method that takes the object alone, {@code ADDED} and {@code UPDATED}. Such a
	 * method is never called for {@code DELETED} together with others, because it could
	 * not tell them apart.
	 * @return the kinds of events
	 */
	ResourceEvent.Type[] on() default {};

	/**
	 * How often the method is called again for every object though nothing has changed,
	 * such as {@code 10m}; {@code 0} for never. By default as the properties of the
	 * informer and {@code informer.defaults.resync-period} say.
	 * @return the period
	 */
	String resyncPeriod() default "";

	/**
	 * What is kept while the method is busy, at most one policy. By default as the
	 * properties of the informer say, {@link QueuePolicy#COALESCE} without any.
	 * @return the policy
	 */
	QueuePolicy[] queue() default {};

	/**
	 * The parts of an object that an update has to touch in order to be told: what the
	 * method was told last is compared with what is there now. By default every update is
	 * told.
	 * @return the parts
	 */
	ChangedPart[] changes() default {};

	/**
	 * The name of a {@link java.util.function.Predicate} bean that says of which objects
	 * the method is told, or an expression that gives such a predicate. An object that
	 * begins to match is told as added, one that ceases to match as deleted. By default
	 * every object is told.
	 * @return the name of the bean
	 */
	String filter() default "";

	/**
	 * How many calls there may be at once, for different objects; those for one object
	 * never overlap. 1 by default.
	 * @return a number, at least 1
	 */
	String concurrency() default "";

	/**
	 * How often a call that throws is tried again, and when.
	 * @return the policy
	 */
	Retry retry() default @Retry;

	/**
	 * The name of a {@link dev.informer.HandlerErrorHandler} bean that hears of calls
	 * that throw, or an expression that gives an error handler. By default the bean of
	 * that type for the type of the objects or for
	 * {@link io.kubernetes.client.common.KubernetesObject}, if there is exactly one.
	 * @return the name of the bean
	 */
	String errorHandler() default "";

	/**
	 * Whether the method is called as soon as its informer runs; {@code false} for a
	 * handler that is paused until {@link dev.informer.HandlerRegistration#resume()}.
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
		 * Maximum number of retries of one event; 0 for none. 4 by default.
		 * @return a number, at least 0
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
		 * with the delay. 0 for none, as long as the delay by default.
		 * @return a duration
		 */
		String jitter() default "";

	}

}
