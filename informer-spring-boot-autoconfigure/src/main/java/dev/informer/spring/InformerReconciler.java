/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.informer.writer.ObjectWrite;
import io.kubernetes.client.common.KubernetesObject;

import org.springframework.aot.hint.annotation.Reflective;

/**
 * Annotation for a method of a bean that compares the desired with the actual state of
 * one object, the primary object, and writes the difference: <pre class="code">
 * &#064;InformerReconciler(owns = V1Pod.class, watches = &#064;Watches(type = V1Secret.class, index = "secretRef"))
 * Duration reconcile(Tenant tenant, Owned&lt;V1Pod&gt; pods, Watched&lt;V1Secret&gt; secrets, ReconcileContext context)
 * </pre> The first parameter is the primary object, a private copy that may be modified.
 * Parameters of type {@link dev.informer.reconcilers.Owned},
 * {@link dev.informer.reconcilers.Watched} and
 * {@link dev.informer.reconcilers.ReconcileContext} may follow, in any order and number.
 * The method returns {@code void}, or the {@link java.time.Duration} after which it is to
 * be called again if nothing changes before; {@code null} for none.
 * <p>
 * It is called after each change of the primary object, of those that it owns and of
 * those to which it refers; several changes may become one call. Calls for one object
 * never overlap. No call begins before all informers have synced, nor before they have
 * what earlier calls for the object have written. A call that throws is repeated, by
 * default without a limit.
 * <p>
 * The method is neither static nor private. Methods of lazy and proxied beans, inherited
 * methods and default methods of interfaces are supported. A bean that is not a singleton
 * is looked up for each call. Beans of the request and session scopes are rejected. An
 * invalid method fails the startup of the application, with the reason.
 * <p>
 * The annotation can be used as a meta-annotation. String attributes may contain
 * <code>${...}</code> placeholders and <code>#{...}</code> expressions. The properties
 * {@code informer.reconcilers.<id>} override the attributes. Attributes that are not set
 * have the values of {@code informer.defaults.reconciler}, or else the defaults.
 *
 * @see InformerCleanup
 * @see dev.informer.reconcilers.Reconcilers
 */
@Documented
@Reflective
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.METHOD, ElementType.ANNOTATION_TYPE })
public @interface InformerReconciler {

	/**
	 * ID of the reconciler, unique in the application: its name in logs, metrics and
	 * health. The properties below {@code informer.reconcilers.<id>} apply to an ID of
	 * lowercase letters and digits that starts with a letter.
	 * <p>
	 * The name of the bean and the name of the method, separated by a dot, by default.
	 * @return the ID
	 */
	String id() default "";

	/**
	 * Name of the informer of the primary objects, one of those below
	 * {@code informer.resources}. By default, the informer that is injected for the type
	 * of the first parameter.
	 * @return the name of the informer
	 */
	String informer() default "";

	/**
	 * Classes of the objects that a primary object owns: those whose controller it is, as
	 * {@link dev.informer.writer.ObjectWriter#apply} makes it. A change of one of them is
	 * followed by a call for its owner.
	 * @return the classes
	 */
	Class<? extends KubernetesObject>[] owns() default {};

	/**
	 * Operations on owned and on primary objects, for the rights that the application
	 * lists. Without an entry for its class, an owned object is applied, and of a primary
	 * object that is a custom resource the status is updated. A cleanup adds what it
	 * needs for its finalizer.
	 * @return the operations
	 */
	Writes[] writes() default {};

	/**
	 * Objects to which a primary object refers. A change of one of them is followed by a
	 * call for each primary object that refers to it.
	 * @return the objects
	 */
	Watches[] watches() default {};

	/**
	 * Maximum number of concurrent calls, for different objects. 4 by default.
	 * @return a number, at least 1
	 */
	String concurrency() default "";

	/**
	 * Minimum time between the beginnings of two calls for one object, such as
	 * {@code 1s}; {@code 0} for none, 100 ms by default.
	 * @return a duration
	 */
	String minInterval() default "";

	/**
	 * Time after which a call is interrupted, which counts as its failure, such as
	 * {@code 5m}. {@code 0}, the default, for none.
	 * @return a duration
	 */
	String timeout() default "";

	/**
	 * Retries of a call that throws. By default without a limit, with delays of 500 ms,
	 * doubled up to 5 minutes, and a jitter of up to the delay.
	 * @return the policy
	 */
	InformerHandler.Retry retry() default @InformerHandler.Retry;

	/**
	 * Classes of exceptions that are not retried before the next change, with their
	 * subclasses.
	 * @return the classes
	 */
	Class<? extends Throwable>[] notRetryable() default {};

	/**
	 * Classes of exceptions that are conflicts, with their subclasses, also as the cause
	 * of another exception: the call is repeated without a failure, as after a 409 of a
	 * write. For optimistic locking of a database. None by default.
	 * @return the classes
	 */
	Class<? extends Throwable>[] conflictExceptions() default {};

	/**
	 * Whether only the leader of the replicas calls the method. {@code true} by default
	 * if {@code informer.leader.enabled} is set and the reconciler is not
	 * {@link #sharded()}.
	 * @return {@code true} or {@code false}
	 */
	String leaderOnly() default "";

	/**
	 * Name of the election whose leader calls the method, one of those below
	 * {@code informer.leader.elections}. Implies {@link #leaderOnly()}. By default, the
	 * default election.
	 * @return the name of the election
	 */
	String leader() default "";

	/**
	 * Whether the primary objects are divided between the replicas: the method is called
	 * for an object by one replica at a time, the owner of its slot. Requires
	 * {@code informer.sharding.enabled}; excludes {@link #leaderOnly()}.
	 * @return whether the objects are divided between the replicas
	 */
	boolean sharded() default false;

	/**
	 * Whether the {@link InformerCleanup} is called for an object that the informer does
	 * not select any more, although it is not being deleted. With {@code false} only its
	 * finalizer is removed. {@code true} by default.
	 * @return {@code true} or {@code false}
	 */
	String cleanupUnselected() default "";

	/**
	 * Whether applies for the primary object take an object that exists without a
	 * controller, as those of {@link dev.informer.writer.ObjectWriter#withAdoption()}.
	 * {@code false} by default.
	 * @return {@code true} or {@code false}
	 */
	String adoption() default "";

	/**
	 * Whether calls begin as soon as all informers have synced. A reconciler with
	 * {@code false} is paused until
	 * {@link dev.informer.reconcilers.ReconcilerRegistration#resume()}. {@code true} by
	 * default.
	 * @return {@code true} or {@code false}
	 */
	String autoStartup() default "";

	/**
	 * Operations on the objects of a class. They prevent no other write.
	 */
	@Target({})
	@Retention(RetentionPolicy.RUNTIME)
	@interface Writes {

		/**
		 * Class of the objects, which are owned or primary objects.
		 * @return the class
		 */
		Class<? extends KubernetesObject> type();

		/**
		 * Operations of the {@link dev.informer.writer.ObjectWriter}; none for objects
		 * that are only read.
		 * @return the operations
		 */
		ObjectWrite.Operation[] operations();

	}

	/**
	 * Objects to which a primary object refers. Either {@link #index()} or
	 * {@link #mapper()} is set.
	 */
	@Target({})
	@Retention(RetentionPolicy.RUNTIME)
	@interface Watches {

		/**
		 * Class of the objects.
		 * @return the class
		 */
		Class<? extends KubernetesObject> type();

		/**
		 * Name of an index of the primary objects, which is that of an
		 * {@link dev.informer.IndexFunction} bean. Its values are the names of objects in
		 * the namespace of the primary object; those of a cluster-scoped one begin with a
		 * namespace and a slash. The objects can be a
		 * {@link dev.informer.reconcilers.Watched} parameter.
		 * @return the name of the index
		 */
		String index() default "";

		/**
		 * Whether the index of namespaced primary objects may name objects of other
		 * namespaces: by a namespace and a name, separated by a slash. Whoever writes a
		 * primary object then decides what it reads.
		 * @return whether the objects may be in any namespace
		 */
		boolean anyNamespace() default false;

		/**
		 * Name of a {@link java.util.function.Function} bean that maps an object to the
		 * keys of the primary objects that refer to it, or an expression for such a
		 * function: a collection of namespaces and names, separated by a slash, or of
		 * names.
		 * @return the name of the bean
		 */
		String mapper() default "";

		/**
		 * Name of the informer of the objects. By default, the informer that is injected
		 * for their class.
		 * @return the name of the informer
		 */
		String informer() default "";

	}

}
